/** Linear memory of an instance; sizes in pages of 64 KiB. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** Code that was checked and compiled, to be instantiated any number of times. */
export interface WasmModule {
  readonly [Symbol.toStringTag]: string;
}

type Imports = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

interface WasmApi {
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Instance: new (module: WasmModule, imports: Imports) => { readonly exports: unknown };
  readonly Memory: new (size: { readonly initial: number }) => WasmMemory;
}

/** What is used of WebAssembly's JavaScript interface; the types of Node leave it to the browser's. */
export const webAssembly = (globalThis as unknown as { readonly WebAssembly: WasmApi }).WebAssembly;

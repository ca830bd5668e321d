import type { LogEvent } from "../log/view.ts";

/** Names of files that say nothing without their folder. */
const GENERIC = new Set(
  "mod lib main error errors util utils types config client server init index common helper helpers base api http handler service manager store constants __init__ exceptions validate validation options".split(
    " ",
  ),
);

/** How an event names the file of a record. */
export interface FileEvidence {
  /** True when the file itself is named, false when only its module is. */
  readonly isFile: boolean;
  readonly detail: string;
}

const FILE_NAME = /[\w$-]+\.(?:rs|go|py|java|scala|kts?|c|cc|cpp|h|tsx?|jsx?|rb|php|cs)(?![\w$])/g;
const CLASS_NAME = /(?<![\w$])[A-Z][a-z]+[A-Z][\w$]*/g;

/** Files, classes and modules that an event names: read once, asked for many records. */
export class NamedFiles {
  private readonly text: string;
  private readonly files: ReadonlySet<string>;
  private readonly classes: ReadonlySet<string>;
  private readonly target: string;
  private readonly crate: string;
  private readonly modules: readonly string[];

  constructor(event: LogEvent) {
    const { target, caller } = event.facts;
    this.text = event.text;
    const named = `${event.text} ${caller ?? ""} ${target ?? ""}`;
    this.files = new Set(named.match(FILE_NAME) ?? []);
    this.classes = new Set(named.match(CLASS_NAME) ?? []);
    const parts = (target ?? "").split(/::|[./]/).filter((each) => each !== "");
    this.target = target ?? "";
    this.crate = (parts[0] ?? "").split("_").slice(1).join("_").toLowerCase();
    this.modules = parts.length < 2 ? [] : parts.slice(1).map((each) => each.toLowerCase());
  }

  /** Whether the event names the file of a record: in a stack frame, a caller, a class or a module path. */
  of(filePath: string): FileEvidence | undefined {
    const base = filePath.slice(filePath.lastIndexOf("/") + 1);
    const dot = base.lastIndexOf(".");
    const stem = dot > 0 ? base.slice(0, dot) : base;
    const isNamed = this.files.has(base) || this.classes.has(stem);
    if (isNamed && this.isMeant(filePath, base, stem))
      return { isFile: true, detail: `${base} is named` };
    return this.modules.length > 0 && filePath !== "unknown"
      ? this.moduleOf(filePath, stem)
      : undefined;
  }

  /** A name that many files have must stand with its folder. */
  private isMeant(filePath: string, base: string, stem: string): boolean {
    if (!GENERIC.has(stem.toLowerCase())) return true;
    const folder = filePath.split("/").at(-2) ?? "";
    return folder !== "" && this.text.includes(`${folder}/${base}`);
  }

  /** A Rust target or Java package whose parts are folders of the path. */
  private moduleOf(filePath: string, stem: string): FileEvidence | undefined {
    if (!this.modules.some((each) => filePath.includes(each))) return undefined;
    const path = new Set(
      [...filePath.split("/").slice(0, -1), stem].map((each) =>
        each.toLowerCase().replaceAll("-", "_"),
      ),
    );
    const inside = this.modules.filter((each) => path.has(each)).length;
    const hasCrate = this.crate !== "" && path.has(this.crate);
    if (inside >= 2 || (hasCrate && inside >= 1))
      return { isFile: false, detail: `module ${this.target}` };
    return undefined;
  }
}

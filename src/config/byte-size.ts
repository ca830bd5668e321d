const UNITS: readonly (readonly [name: string, bytes: number])[] = [
  ["GiB", 2 ** 30],
  ["MiB", 2 ** 20],
  ["KiB", 2 ** 10],
  ["B", 1],
];

const BYTE_SIZE = /^(\d{1,16})(B|KiB|MiB|GiB)$/u;

/**
 * Reads a size such as `32MiB`, `1KiB` or `300B`.
 *
 * `KB` and `MB` are refused: Prometheus and Loki read them as powers of 1024, most others as powers
 * of 1000.
 *
 * @returns Bytes, or `undefined` when the text is no size or exceeds a safe integer.
 */
export function parseByteSize(text: string): number | undefined {
  const groups = BYTE_SIZE.exec(text);
  const unit = UNITS.find(([name]) => name === groups?.[2]);
  if (unit === undefined) return undefined;
  const bytes = Number(groups?.[1]) * unit[1];
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** Writes whole bytes, 0 or more, in the largest unit that needs no fraction. */
export function renderByteSize(bytes: number): string {
  const [name, unitBytes] = UNITS.find(([, size]) => bytes >= size && bytes % size === 0) ?? [
    "B",
    1,
  ];
  return `${String(bytes / unitBytes)}${name}`;
}

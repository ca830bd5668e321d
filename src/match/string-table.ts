/**
 * Strings of a catalogue in one text with their ends, so that a catalogue is flat: it can be handed
 * to another thread or kept on disk without an object for each record.
 */
export interface StringTable {
  readonly text: string;
  /** UTF-16 offset after string `i`; it begins where string `i - 1` ends. */
  readonly ends: Uint32Array;
}

/** Puts strings into a table; index `i` of the table is string `i` of the list. */
export function buildStringTable(strings: readonly string[]): StringTable {
  const ends = new Uint32Array(strings.length);
  let end = 0;
  strings.forEach((each, i) => {
    end += each.length;
    ends[i] = end;
  });
  return { text: strings.join(""), ends };
}

/** String `index`; empty for an index outside the table. */
export function stringAt(table: StringTable, index: number): string {
  const start = index === 0 ? 0 : (table.ends[index - 1] ?? 0);
  return table.text.slice(start, table.ends[index] ?? start);
}

import { expect, test } from "vitest";
import { partsOf, placePart, transferListOf } from "../../../src/app/hand-over.ts";

const whole = {
  size: 3,
  empty: {},
  list: [{ id: 1 }],
  nothing: undefined,
  table: {
    text: "abc",
    ends: Uint32Array.of(1, 2, 3),
    deep: { keys: Uint8Array.of(9), deeper: { a: 1 } },
  },
  chunks: [Uint8Array.of(1), Uint8Array.of(2)],
};

test("an object put together of its parts is the object", () => {
  const copy: Record<string, unknown> = {};
  for (const part of partsOf(whole)) placePart(copy, part);
  expect(copy).toEqual(whole);
});

test("each table of a catalogue is a part of its own", () => {
  const keys = partsOf(whole).map((part) => part.keys.join("."));
  expect(keys).toContain("table.ends");
  expect(keys).toContain("table.deep.keys");
});

test("every buffer is moved, and one that two arrays share only once", () => {
  const { table, chunks } = whole;
  expect(transferListOf(table)).toEqual([table.ends.buffer, table.deep.keys.buffer]);
  expect(transferListOf(chunks)).toHaveLength(2);
  const shared = new Uint8Array(8);
  expect(transferListOf([shared, shared.subarray(4)])).toEqual([shared.buffer]);
  expect(transferListOf("abc")).toEqual([]);
});

import type { PlaceholderKind, PlaceholderPart, Template } from "../../src/record/template.ts";
import { oneOf, wholeBetween, type Random } from "./seeded-random.ts";

/**
 * The text that a program prints for a template with these values, one for each placeholder in order.
 * A value is text as printed, quotes of `%q` and `{:?}` included.
 *
 * @throws {RangeError} If there are more or fewer values than placeholders.
 */
export function printTemplate(template: Template, values: readonly string[]): string {
  const placeholders = template.parts.filter((part) => part.type === "placeholder").length;
  if (placeholders !== values.length)
    throw new RangeError(`${placeholders} placeholders, but ${values.length} values`);
  let next = 0;
  return template.parts
    .map((part) => (part.type === "literal" ? part.text : (values[next++] ?? "")))
    .join("");
}

/** Plausible values for a template: the same ones for the same random numbers. */
export function randomValues(template: Template, random: Random): readonly string[] {
  return template.parts
    .filter((part) => part.type === "placeholder")
    .map((part) => randomValue(part, random));
}

/** One plausible value of a placeholder's kind, with the sign `0x` where its spelling asks for it. */
function randomValue(placeholder: PlaceholderPart, random: Random): string {
  const value = VALUES[placeholder.kind](random);
  return placeholder.kind === "hex" && placeholder.source.includes("#") ? `0x${value}` : value;
}

const WORDS = [
  "orders",
  "eu-west-1",
  "kube-system",
  "checkout",
  "replica_3",
  "Überweisung",
  "TopicPartition",
  "inventory.v2",
] as const;

const VALUES: Readonly<Record<PlaceholderKind, (random: Random) => string>> = {
  integer,
  number,
  hex: (random) => hexDigits(random, wholeBetween(random, 1, 16)),
  pointer: (random) => `0x${hexDigits(random, 10)}`,
  quoted: (random) => JSON.stringify(oneOf(random, TEXTS)(random)),
  debug: (random) => debugValue(random, 2),
  pretty: (random) => prettyValue(random, 1),
  char: (random) => oneOf(random, ["x", "$", "9", ",", "é"]),
  bool: (random) => oneOf(random, ["true", "false"]),
  any: (random) => oneOf(random, ANY)(random),
};

function integer(random: Random): string {
  const digits = wholeBetween(random, 1, 12);
  const sign = random() < 0.1 ? "-" : "";
  return sign + String(Math.floor(random() * 10 ** digits));
}

function number(random: Random): string {
  return oneOf(random, [
    () => (random() * 1000).toFixed(wholeBetween(random, 0, 6)),
    () => (random() * 1e12).toExponential(3),
    () => integer(random),
  ])();
}

function hexDigits(random: Random, length: number): string {
  return Array.from({ length }, () => wholeBetween(random, 0, 15).toString(16)).join("");
}

function word(random: Random): string {
  return oneOf(random, WORDS);
}

function path(random: Random): string {
  return `/var/lib/${word(random)}/${hexDigits(random, 6)}.${oneOf(random, ["sst", "log", "yaml"])}`;
}

function hostPort(random: Random): string {
  const octet = (): number => wholeBetween(random, 0, 255);
  const host = random() < 0.5 ? `10.${octet()}.${octet()}.${octet()}` : `${word(random)}.svc`;
  return `${host}:${wholeBetween(random, 1024, 65535)}`;
}

function time(random: Random): string {
  const instant = new Date(Date.UTC(2026, 0, 1) + Math.floor(random() * 3.1e10)).toISOString();
  return random() < 0.5
    ? instant
    : `${wholeBetween(random, 1, 900)}.${wholeBetween(random, 0, 9)}s`;
}

function json(random: Random): string {
  return JSON.stringify({
    id: wholeBetween(random, 1, 9999),
    name: word(random),
    tags: ["a", "b"],
  });
}

function sentence(random: Random): string {
  return oneOf(random, [
    "connection refused",
    "context deadline exceeded",
    "No space left on device",
    `lookup ${word(random)}: no such host`,
    `dial tcp ${hostPort(random)}: i/o timeout`,
    `rpc error: code = Unavailable desc = ${word(random)} is down`,
  ]);
}

const TEXTS = [
  word,
  path,
  hostPort,
  sentence,
  json,
  (random: Random): string => `say "${word(random)}"\tand go`,
] as const;

const ANY = [word, word, path, hostPort, time, integer, json, sentence] as const;

/** A value as Rust's `{:?}` or Go's `%#v` prints it, on one line. */
function debugValue(random: Random, depth: number): string {
  const leaf = [integer, (): string => JSON.stringify(word(random)), (): string => "None"] as const;
  if (depth === 0) return oneOf(random, leaf)(random);
  const inner = (): string => debugValue(random, depth - 1);
  return oneOf(random, [
    () => oneOf(random, leaf)(random),
    () => `Some(${inner()})`,
    () => `Foo { a: ${inner()}, b: ${JSON.stringify(word(random))} }`,
    () => `[${inner()}, ${inner()}]`,
    () => `{"${word(random)}": ${inner()}}`,
    () => oneOf(random, ["NotFound", "Timeout", "InProgress"]),
  ])();
}

/** A value as `{:#?}` prints it, over several lines unless it is a plain one. */
function prettyValue(random: Random, indent: number): string {
  const pad = "    ".repeat(indent);
  const end = "    ".repeat(indent - 1);
  const inner = (): string =>
    indent < 3 && random() < 0.4 ? prettyValue(random, indent + 1) : integer(random);
  return oneOf(random, [
    () => `VirtualNode(\n${pad}${inner()},\n${end})`,
    () => `Foo {\n${pad}a: ${inner()},\n${pad}b: ${JSON.stringify(word(random))},\n${end}}`,
    () => `[\n${pad}${inner()},\n${pad}${inner()},\n${end}]`,
    () => integer(random),
  ])();
}

import { RE2JS } from "re2js";
import { readGoString } from "./read-go-string.ts";

/** An answer of Loki's that is no success: status and plain-text body. */
export class LokiRefusal extends Error {
  readonly status: number;

  constructor(status: number, body: string) {
    super(body);
    this.name = "LokiRefusal";
    this.status = status;
  }
}

/** A log query as far as the fake evaluates it: a selector and line filters. */
export interface FakeLokiQuery {
  selects(labels: Readonly<Record<string, string>>): boolean;
  keeps(line: string): boolean;
}

interface Token {
  readonly kind: "string" | "identifier" | "symbol" | "end";
  readonly text: string;
  readonly column: number;
}

type Test = (text: string) => boolean;

const QUERY_BYTES_MAX = 5120;
const NO_MATCHER =
  'parse error : queries require at least one regexp or equality matcher that does not have an empty-compatible value. For instance, app=~".*" does not meet this requirement, but app=~".+" will';

/**
 * Reads a query with the messages of Loki 2.9.9.
 *
 * @throws {LokiRefusal} 400 for what Loki refuses, 500 for a filter's bad expression, 501 for stages
 * and metric queries, which the fake does not know.
 */
export function parseFakeLokiQuery(query: string): FakeLokiQuery {
  if (query.trim() === "") throw bad("parse error : syntax error: unexpected $end");
  const bytes = Buffer.byteLength(query);
  if (bytes >= QUERY_BYTES_MAX) {
    throw bad(`parse error : input size too long (${bytes} > ${QUERY_BYTES_MAX})`);
  }
  const tokens = new Tokens(scan(query));
  const matchers = readSelector(tokens);
  const filters: Test[] = [];
  while (tokens.peek().kind !== "end") filters.push(readFilter(tokens));
  if (!matchers.some(({ test }) => !test(""))) throw bad(NO_MATCHER);
  return {
    selects: (labels) => matchers.every(({ name, test }) => test(labels[name] ?? "")),
    keeps: (line) => filters.every((test) => test(line)),
  };
}

function bad(body: string): LokiRefusal {
  return new LokiRefusal(400, body);
}

class Tokens {
  readonly #tokens: readonly Token[];
  #index = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  peek(): Token {
    const token = this.#tokens[this.#index];
    if (token === undefined) throw new Error("read past the end");
    return token;
  }

  take(): Token {
    const token = this.peek();
    this.#index += 1;
    return token;
  }

  takeIf(...texts: readonly string[]): string | undefined {
    const token = this.peek();
    const fits = token.kind === "symbol" || token.kind === "identifier";
    if (!fits || !texts.includes(token.text)) return undefined;
    this.#index += 1;
    return token.text;
  }

  expect(kind: Token["kind"], expecting: string): string {
    if (this.peek().kind !== kind) throw this.unexpected(expecting);
    return this.take().text;
  }

  unexpected(expecting: string): LokiRefusal {
    const { kind, text, column } = this.peek();
    const names = { string: "STRING", identifier: "IDENTIFIER", symbol: text, end: "$end" };
    const tail = expecting === "" ? "" : `, expecting ${expecting}`;
    return bad(
      `parse error at line 1, col ${column}: syntax error: unexpected ${names[kind]}${tail}`,
    );
  }
}

function scan(query: string): Token[] {
  const tokens: Token[] = [];
  const rules = /\s+|#[^\n]*|\|=|\|~|!=|!~|=~|[{}=,|()[\]]|[a-zA-Z_][a-zA-Z0-9_]*|[0-9]+[a-z]*/uy;
  let offset = 0;
  while (offset < query.length) {
    const column = offset + 1;
    const first = query.charAt(offset);
    if (first === '"' || first === "`") {
      const string = readGoString(query, offset);
      if ("fault" in string) throw bad(`parse error at line 1, col ${column}: ${string.fault}`);
      tokens.push({ kind: "string", text: string.text, column });
      offset = string.end;
      continue;
    }
    rules.lastIndex = offset;
    const text = rules.exec(query)?.[0];
    if (text === undefined) {
      const fault = first === "\0" ? "invalid character NUL" : "syntax error: unexpected character";
      throw bad(`parse error at line 1, col ${column}: ${fault}`);
    }
    offset += text.length;
    if (/^[\s#]/u.test(text)) continue;
    tokens.push({ kind: /^[a-zA-Z_]/u.test(text) ? "identifier" : "symbol", text, column });
  }
  return [...tokens, { kind: "end", text: "", column: query.length + 1 }];
}

function readSelector(tokens: Tokens): { name: string; test: Test }[] {
  if (tokens.takeIf("{") === undefined) throw tokens.unexpected("");
  const matchers: { name: string; test: Test }[] = [];
  if (tokens.takeIf("}") !== undefined) return matchers;
  do {
    const name = tokens.expect(
      "identifier",
      matchers.length === 0 ? "IDENTIFIER or }" : "IDENTIFIER",
    );
    const operator = tokens.takeIf("=", "!=", "=~", "!~");
    if (operator === undefined) throw tokens.unexpected("= or != or =~ or !~");
    matchers.push({ name, test: matcherTest(operator, tokens.expect("string", "STRING")) });
  } while (tokens.takeIf(",") !== undefined);
  if (tokens.takeIf("}") === undefined) throw tokens.unexpected("} or ,");
  return matchers;
}

function matcherTest(operator: string, value: string): Test {
  if (operator === "=") return (text) => text === value;
  if (operator === "!=") return (text) => text !== value;
  const expression = compile(`^(?:${value})$`, (fault) =>
    bad(`parse error : error parsing regexp: ${fault}`),
  );
  return operator === "=~" ? (text) => expression.test(text) : (text) => !expression.test(text);
}

function readFilter(tokens: Tokens): Test {
  const operator = tokens.takeIf("|=", "!=", "|~", "!~");
  if (operator === undefined) {
    throw new LokiRefusal(501, "the fake evaluates selectors and line filters only");
  }
  const tests = [filterTest(operator, tokens.expect("string", "STRING or ip"))];
  while (tokens.takeIf("or") !== undefined) {
    tests.push(filterTest(operator, tokens.expect("string", "STRING or ip")));
  }
  const contains: Test = (line) => tests.some((test) => test(line));
  return operator.startsWith("!") ? (line) => !contains(line) : contains;
}

function filterTest(operator: string, value: string): Test {
  if (operator.endsWith("=")) return (line) => line.includes(value);
  const shown = `stage '${operator} ${JSON.stringify(value)}'`;
  const expression = compile(
    value,
    (fault) =>
      new LokiRefusal(
        500,
        `rpc error: code = Unknown desc = parse error : ${shown} : error parsing regexp: ${fault}\n`,
      ),
  );
  return (line) => expression.test(line);
}

function compile(source: string, refusal: (fault: string) => LokiRefusal): RE2JS {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    const fault = error instanceof Error ? error.message : "unknown";
    throw refusal(fault.replace(/^error parsing regexp: /u, ""));
  }
}

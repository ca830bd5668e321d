import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import type { Document, ErrorCode, Pair } from "yaml";
import type { ConfigFault } from "./config-fault.ts";
import { renderKeyPath } from "./key-path.ts";
import type { KeyPath } from "./key-path.ts";

/** How many values one file may hold, aliases counted where they stand: a guard against YAML bombs. */
const VALUES_MAX = 50_000;
const DEPTH_MAX = 50;
const SYNTAX_FAULTS_MAX = 5;

/** A YAML file as plain values, with the line of each. */
export interface YamlDocument {
  /**
   * Objects without prototype, arrays, strings, numbers, booleans; `null` for a file that says
   * nothing; `undefined` when it could not be read.
   */
  readonly tree: unknown;
  readonly faults: readonly ConfigFault[];
  /** Line of a path such as `destinations[0].url`, or of the nearest part of it in the file. */
  lineOf(path: string): number | undefined;
}

/** Turns each text of the file into what is to stand for it. */
export type TextMapper = (text: string, report: (message: string) => void) => string;

/**
 * Reads one YAML 1.2 document. A key without a value counts as absent. `mapText` is applied to every
 * text value, never to a key.
 */
export function readYamlDocument(
  file: string,
  source: string,
  mapText: TextMapper = (text) => text,
): YamlDocument {
  const nothing = { tree: undefined, lineOf: () => undefined };
  try {
    return parseYaml(file, source, mapText);
  } catch (error) {
    // Both the parser's own recursion and the guards of the walk end in a RangeError.
    if (!(error instanceof RangeError)) throw error;
    const message = "is nested too deep, or holds too many values";
    return { ...nothing, faults: [{ file, line: undefined, path: "", message }] };
  }
}

function parseYaml(file: string, source: string, mapText: TextMapper): YamlDocument {
  const lines = new LineCounter();
  // Pretty errors quote the source, which may hold a secret.
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false });
  const broken = [...document.errors, ...document.warnings];
  if (broken.length === 0) {
    const walk = new TreeWalk(file, document, lines, mapText);
    const tree = walk.valueOf(document.contents, []) ?? null;
    return { tree, faults: walk.faults, lineOf: (path) => walk.lineOf(path) };
  }
  // Where one character is wrong, the parser stumbles over what follows again and again.
  const faults = broken.slice(0, SYNTAX_FAULTS_MAX).map(({ code, pos }) => ({
    file,
    line: lines.linePos(pos[0]).line,
    path: "",
    message: MESSAGES[code] ?? `is not valid YAML (${code})`,
  }));
  return { tree: undefined, faults, lineOf: () => undefined };
}

/** The parser's own words quote the source too. */
const MESSAGES: Partial<Record<ErrorCode, string>> = {
  BAD_INDENT: "is indented wrongly, or a bracket before it is not closed",
  DUPLICATE_KEY: "the key stands here a second time",
  MISSING_CHAR: "a character is missing, such as a closing quote or bracket",
  MULTIPLE_DOCS: "holds more than one YAML document",
  TAB_AS_INDENT: "is indented with a tab; use blanks",
  TAG_RESOLVE_FAILED: "has a tag that is not known",
  UNEXPECTED_TOKEN: "has a character that fits nothing here",
  BLOCK_AS_IMPLICIT_KEY:
    "begins a mapping within a line; put it on the next one, or quote the text",
  MULTILINE_IMPLICIT_KEY: "has a key over several lines; is a colon missing?",
};

class TreeWalk {
  readonly faults: ConfigFault[] = [];
  readonly #lineByPath = new Map<string, number>();
  #valuesLeft = VALUES_MAX;
  readonly #file: string;
  readonly #document: Document;
  readonly #lines: LineCounter;
  readonly #mapText: TextMapper;

  constructor(file: string, document: Document, lines: LineCounter, mapText: TextMapper) {
    this.#file = file;
    this.#document = document;
    this.#lines = lines;
    this.#mapText = mapText;
  }

  lineOf(path: string): number | undefined {
    for (let part = path; part !== ""; part = parentOf(part)) {
      const line = this.#lineByPath.get(part);
      if (line !== undefined) return line;
    }
    return undefined;
  }

  valueOf(node: unknown, path: KeyPath): unknown {
    this.#valuesLeft -= 1;
    if (this.#valuesLeft < 0 || path.length > DEPTH_MAX) throw new RangeError("too large");
    if (isAlias(node)) {
      const target = node.resolve(this.#document);
      if (target === undefined) this.#report(path, "is an alias of an anchor that is not there");
      return this.valueOf(target, path);
    }
    if (isMap(node)) return this.#mappingOf(node.items, path);
    if (isSeq(node)) {
      return node.items.map((member, index) => {
        this.#noteLine([...path, index], member);
        return this.valueOf(member, [...path, index]);
      });
    }
    return this.#scalarOf(node, path);
  }

  #mappingOf(pairs: readonly Pair[], path: KeyPath): Record<string, unknown> {
    const mapping = Object.create(null) as Record<string, unknown>;
    for (const { key, value } of pairs) {
      const name = isScalar(key) ? key.value : undefined;
      if (typeof name !== "string" && typeof name !== "number") {
        this.#report(path, "has a key that is no text");
        continue;
      }
      const at = [...path, String(name)];
      this.#noteLine(at, key);
      const inner = this.valueOf(value, at);
      // Validators drop this one key in silence.
      if (name === "__proto__") this.#report(at, "is no known key");
      else if (inner !== undefined && inner !== null) mapping[String(name)] = inner;
    }
    return mapping;
  }

  #scalarOf(node: unknown, path: KeyPath): unknown {
    const value = isScalar(node) ? node.value : undefined;
    if (typeof value !== "string") return value;
    return this.#mapText(value, (message) => {
      this.#report(path, message);
    });
  }

  #noteLine(path: KeyPath, node: unknown): void {
    const start =
      isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range?.[0] : undefined;
    if (start === undefined) return;
    this.#lineByPath.set(renderKeyPath(path), this.#lines.linePos(start).line);
  }

  #report(path: KeyPath, message: string): void {
    const rendered = renderKeyPath(path);
    this.faults.push({ file: this.#file, line: this.lineOf(rendered), path: rendered, message });
  }
}

/** A rendered path without its last key or index; always shorter. */
function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("."), path.lastIndexOf("[")));
}

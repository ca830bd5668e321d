import type { LogEvent } from "../log/view.ts";
import { isLetterOrDigit } from "./character-codes.ts";

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

const EXTENSIONS = new Set(
  "rs go py java scala kt kts c cc cpp h ts tsx js jsx rb php cs".split(" "),
);
const EXTENSION_LENGTH_MAX = 5;
const CLASS_NAME = /(?<![\w$])[A-Z][a-z]+[A-Z][\w$]*/g;

/** Files, classes and modules that an event names: read once, asked for many records. */
export class NamedFiles {
  private readonly text: string;
  private readonly names: ReadonlySet<string>;
  private readonly target: string;
  private readonly crate: string;
  private readonly modules: readonly string[];

  constructor(event: LogEvent) {
    const { target, caller } = event.facts;
    this.text = event.text;
    const names = new Set<string>();
    for (const text of [event.text, caller, target]) if (text !== undefined) addNames(names, text);
    this.names = names;
    const parts = (target ?? "").split(/::|[./]/).filter((each) => each !== "");
    this.target = target ?? "";
    this.crate = (parts[0] ?? "").split("_").slice(1).join("_").toLowerCase();
    this.modules = parts.length < 2 ? [] : parts.slice(1).map((each) => each.toLowerCase());
  }

  /** Whether the event names the file of a record: in a stack frame, a caller, a class or a module path. */
  of(filePath: string): FileEvidence | undefined {
    if (this.names.size === 0 && this.modules.length === 0) return undefined;
    const base = filePath.slice(filePath.lastIndexOf("/") + 1);
    const dot = base.lastIndexOf(".");
    const stem = dot > 0 ? base.slice(0, dot) : base;
    // A name with an extension is a file's, one without is a class's.
    const isNamed = this.names.has(base) || this.names.has(stem);
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
    const needed = this.crate === "" ? 2 : 1;
    if (this.modules.length < needed) return undefined;
    if (!this.modules.some((each) => filePath.includes(each))) return undefined;
    const path = [...filePath.split("/").slice(0, -1), stem].map((each) =>
      each.toLowerCase().replaceAll("-", "_"),
    );
    const inside = this.modules.filter((each) => path.includes(each)).length;
    const hasCrate = this.crate !== "" && path.includes(this.crate);
    if (inside >= 2 || (hasCrate && inside >= 1))
      return { isFile: false, detail: `module ${this.target}` };
    return undefined;
  }
}

function addNames(names: Set<string>, text: string): void {
  for (let dot = text.indexOf(".", 1), from = 0; dot > 0; dot = text.indexOf(".", dot + 1)) {
    const end = nameEnd(text, dot + 1, dot + 2 + EXTENSION_LENGTH_MAX);
    if (!EXTENSIONS.has(text.slice(dot + 1, end))) continue;
    const start = nameStart(text, dot, from);
    if (start < dot) names.add(text.slice(start, end));
    from = end;
  }
  for (const name of text.match(CLASS_NAME) ?? []) names.add(name);
}

function nameEnd(text: string, from: number, limit: number): number {
  let at = from;
  while (at < limit && isNameCode(text.charCodeAt(at))) at += 1;
  return at;
}

function nameStart(text: string, end: number, floor: number): number {
  let at = end;
  while (at > floor && isInFileName(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

function isInFileName(code: number): boolean {
  return code === 45 || isNameCode(code);
}

/** Letters, digits, `_` and `$`. */
function isNameCode(code: number): boolean {
  return isLetterOrDigit(code) || code === 95 || code === 36;
}

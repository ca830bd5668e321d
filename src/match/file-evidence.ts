import type { LogEvent } from "../log/view.ts";

/** Names of files that say nothing without their folder. */
const GENERIC = new Set(
  "mod lib main error errors util utils types config client server init index common helper helpers base api http handler service manager store constants __init__ exceptions validate validation options".split(
    " ",
  ),
);

export interface FileEvidence {
  /** True when the file itself is named, false when only its module is. */
  readonly isFile: boolean;
  readonly detail: string;
}

/** Whether an event names the file of a record: in a stack frame, a caller, a class or a module path. */
export function fileEvidence(filePath: string, event: LogEvent): FileEvidence | undefined {
  const parts = filePath.split("/");
  const base = parts.at(-1) ?? "";
  const stem = base.replace(/\.\w+$/, "");
  const folder = parts.at(-2) ?? "";
  if (stem === "" || filePath === "unknown") return undefined;
  if (GENERIC.has(stem.toLowerCase())) {
    if (folder !== "" && event.text.includes(`${folder}/${base}`))
      return { isFile: true, detail: `${folder}/${base} is named` };
  } else if (namesFile(event, base, stem)) return { isFile: true, detail: `${base} is named` };
  return moduleEvidence(parts, stem, event.facts.target);
}

function namesFile(event: LogEvent, base: string, stem: string): boolean {
  if (event.text.includes(base) || event.facts.caller?.includes(base) === true) return true;
  // Java and Scala classes are called like their file.
  return /^[A-Z][a-z]+[A-Z]/.test(stem) && event.text.includes(stem);
}

/** A Rust target or Java package whose parts are folders of the path, in order. */
function moduleEvidence(
  parts: readonly string[],
  stem: string,
  target: string | undefined,
): FileEvidence | undefined {
  if (target === undefined) return undefined;
  const modules = target.split(/::|[./]/).filter((each) => each !== "");
  if (modules.length < 2) return undefined;
  const path = [...parts.slice(0, -1), stem].map((each) => each.toLowerCase().replaceAll("-", "_"));
  const crate = (modules[0] ?? "").split("_").slice(1).join("_");
  const inside = modules.slice(1).filter((each) => path.includes(each.toLowerCase())).length;
  const hasCrate = crate !== "" && path.includes(crate);
  if (inside >= 2 || (hasCrate && inside >= 1))
    return { isFile: false, detail: `module ${target}` };
  return undefined;
}

import type { Template } from "../../src/record/template.ts";
import { parseTemplate } from "../../src/match/parse-template.ts";

/** One line for a template: literal text as it is, placeholders as `‹kind›`, with names `‹kind name›`. */
export function showTemplate(template: Template, options = { names: false }): string {
  return template.parts
    .map((part) => {
      if (part.type === "literal") return part.text;
      return options.names && part.name !== "" ? `‹${part.kind} ${part.name}›` : `‹${part.kind}›`;
    })
    .join("");
}

/** Parses a message, with the pattern that is its escaped text, of a file with this extension and shows its template. */
export function showMessage(errorMessage: string, extension: string): string {
  const template = parseTemplate({
    errorMessage,
    messagePattern: errorMessage.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"),
    filePath: `src/server.${extension}`,
  });
  return showTemplate(template);
}

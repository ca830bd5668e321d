import { Liquid } from "liquidjs";
import type { Template } from "liquidjs";
import type { GroupView } from "./group-text.ts";

/** A template that may be rendered; it can neither read files nor run code. */
export interface TextTemplate {
  /** @throws {Error} When the template breaks on this group. */
  render(view: GroupView): string;
}

/** Limits for one rendering: a template loops over alerts that are not ours. */
const LIMITS = { parseLimit: 65_536, renderLimit: 250, memoryLimit: 8_000_000 };

const engine = new Liquid({
  ...LIMITS,
  ownPropertyOnly: true,
  strictFilters: true,
  strictVariables: false,
  // Templates are one text each: nothing is included, so nothing is read.
  templates: {},
  relativeReference: false,
});

/**
 * Compiles a template in Liquid's language.
 *
 * @throws {Error} With line and column, when it is not one.
 * @see https://liquidjs.com/
 */
export function compileTemplate(source: string): TextTemplate {
  const parsed: Template[] = engine.parse(source);
  return { render: (view) => String(engine.renderSync(parsed, { ...view })) };
}

/** Renders a template, or the default text when there is none or it breaks. */
export function renderText(
  template: TextTemplate | undefined,
  view: GroupView,
  fallback: { readonly text: () => string; readonly onFailure: (error: unknown) => void },
): string {
  if (template === undefined) return fallback.text();
  try {
    return template.render(view);
  } catch (error) {
    fallback.onFailure(error);
    return `${fallback.text()}\n(the configured template could not be rendered)`;
  }
}

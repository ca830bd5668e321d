import { h } from "preact";
import type { ComponentChildren } from "preact";
import { renderToString } from "preact-render-to-string";
import { Around } from "../../src/web/frame/parts.tsx";

/** Renders a part of a page as it stands in a page one level below the root. */
export function renderPart(part: ComponentChildren, nowMs = 0): string {
  return renderToString(h(Around.Provider, { value: { root: "../", nowMs }, children: part }));
}

import { defaultTreeAdapter, parseFragment, serialize } from "parse5";
import type { DefaultTreeAdapterTypes } from "parse5";

type Node = DefaultTreeAdapterTypes.ChildNode;
type Parent = DefaultTreeAdapterTypes.ParentNode;

/** One element as a browser reads it. */
export interface ShownElement {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** What a tooltip shows of an annotation's text. */
export interface ShownText {
  /** Every element, in the order of the text. */
  readonly elements: readonly ShownElement[];
  /** The text with markup taken off and entities read. */
  readonly text: string;
  readonly html: string;
}

const REMOVED = new Set(["script", "style", "iframe", "object", "embed", "form", "input", "link"]);
const URL_ATTRIBUTES = new Set(["href", "src", "action", "xlink:href"]);
// What DOMPurify lets through: these schemes, and anything without one.
const ALLOWED_URL = /^(?:(?:https?|mailto|tel|sms):|[^a-z]|[a-z+.-]+(?:[^a-z+.:-]|$))/iu;

/** Reads HTML as a browser does, without taking anything away. */
export function readHtml(html: string): ShownText {
  const fragment = parseFragment(html);
  return { elements: elementsBelow(fragment), text: textBelow(fragment), html };
}

/**
 * Reads the text of an annotation as Grafana shows it: through a filter that takes scripts, frames, forms,
 * event handlers, `target` and hostile schemes away, and leaves pictures, styles and foreign links.
 */
export function sanitizeAsGrafana(html: string): ShownText {
  const fragment = parseFragment(html);
  sanitizeBelow(fragment);
  const shown = serialize(fragment);
  return readHtml(shown);
}

function sanitizeBelow(parent: Parent): void {
  for (const child of [...parent.childNodes]) {
    if (!defaultTreeAdapter.isElementNode(child)) {
      if (defaultTreeAdapter.isCommentNode(child)) defaultTreeAdapter.detachNode(child);
      continue;
    }
    if (REMOVED.has(child.tagName)) {
      defaultTreeAdapter.detachNode(child);
      continue;
    }
    child.attrs = child.attrs.filter(({ name, value }) => isKept(name, value));
    sanitizeBelow(child);
  }
}

function isKept(name: string, value: string): boolean {
  if (name.startsWith("on") || name === "target") return false;
  // Browsers leave out white space and controls in front of and within a scheme.
  return !URL_ATTRIBUTES.has(name) || ALLOWED_URL.test(value.replace(/[\p{Cc}\s]/gu, ""));
}

function elementsBelow(parent: Parent): readonly ShownElement[] {
  return parent.childNodes.flatMap((child) => {
    if (!defaultTreeAdapter.isElementNode(child)) return [];
    const attributes = Object.fromEntries(child.attrs.map(({ name, value }) => [name, value]));
    return [{ tag: child.tagName, attributes }, ...elementsBelow(child)];
  });
}

function textBelow(parent: Parent): string {
  return parent.childNodes.map((child: Node) => textOf(child)).join("");
}

function textOf(node: Node): string {
  if (defaultTreeAdapter.isTextNode(node)) return node.value;
  return defaultTreeAdapter.isElementNode(node) ? textBelow(node) : "";
}

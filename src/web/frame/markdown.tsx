import MarkdownIt from "markdown-it";
import type { VNode } from "preact";
import { isWebUrl } from "./parts.tsx";
import { cut, shown } from "./text.ts";

// No HTML passes, and what it can make is no more than paragraphs, lists, code, emphasis and links.
const markdown = new MarkdownIt("commonmark", { html: false, breaks: false, linkify: false });
markdown.disable(["image", "html_block", "html_inline", "reference"]);
markdown.validateLink = isWebUrl;
// A heading within a record must not stand among those of the page.
markdown.renderer.rules["heading_open"] = () => "<p><strong>";
markdown.renderer.rules["heading_close"] = () => "</strong></p>\n";
markdown.core.ruler.push("link_rel", ({ tokens }) => {
  for (const { children } of tokens) {
    for (const token of children ?? []) {
      if (token.type === "link_open") token.attrSet("rel", "noopener noreferrer");
    }
  }
});
// The class tells a language that nobody here colours, in the words of the record.
markdown.renderer.rules["fence"] = (tokens, index) =>
  `<pre><code>${markdown.utils.escapeHtml(tokens[index]?.content ?? "")}</code></pre>\n`;

const CHARACTERS_MAX = 6000;

/**
 * Markdown from outside, at most 6,000 characters of it: CommonMark without HTML and images, whose links
 * lead to http(s) only.
 */
export function Markdown({ text }: { text: string }): VNode {
  const html = markdown.render(shown(cut(text, CHARACTERS_MAX)));
  // eslint-disable-next-line no-restricted-syntax -- all of it was made by the renderer above
  return <div class="markdown" dangerouslySetInnerHTML={{ __html: html }} />;
}

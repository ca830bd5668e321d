import { describe, expect, it } from "vitest";
import { Markdown } from "../../../../src/web/frame/markdown.tsx";
import { renderPart } from "../../../support/render-part.ts";

const render = (text: string) => renderPart(Markdown({ text }));

describe("Markdown from outside", () => {
  it("shows paragraphs, lists, code and emphasis", () => {
    const html = render("First *this*\n\n- `a < b`\n- **b**\n\n```sh\nrm -rf /tmp/x\n```");
    expect(html).toContain("<p>First <em>this</em></p>");
    expect(html).toContain("<li><code>a &lt; b</code></li>");
    expect(html).toContain("<pre><code>rm -rf /tmp/x\n</code></pre>");
  });

  it("follows links to the web and to nothing else", () => {
    expect(render("[docs](https://example.com/a?b=1&c)")).toContain(
      '<a href="https://example.com/a?b=1&amp;c" rel="noopener noreferrer">docs</a>',
    );
    const hostile = [
      "javascript:alert(1)",
      "JaVaScRiPt:alert(1)",
      "data:text/html,x",
      "vbscript:x",
      "//host/x",
      "/records",
      "https://user:pass@host/",
    ];
    for (const target of hostile) expect(render(`[x](<${target}>)`), target).not.toContain("<a");
    expect(render("<javascript:alert(1)>")).not.toContain("<a");
  });

  it("shows HTML, images and headings as text that does nothing", () => {
    const html = render(
      "# Big <script>alert(1)</script>\n\n<img src=x onerror=alert(1)> ![i](https://x/y.png)\n\n<div style='x'>",
    );
    expect(html).not.toMatch(/<(?:script|img|h1|div style)/u);
    expect(html).toContain("<p><strong>Big &lt;script&gt;");
  });

  it("makes characters visible that could mislead, and cuts what is too long", () => {
    expect(render("a\u202eb\u0007\ud800")).toContain("[U+202E]");
    expect(render("x".repeat(100_000)).length).toBeLessThan(6100);
  });
});

import { h } from "preact";
import { describe, expect, it } from "vitest";
import { rootOf } from "../../../../src/web/frame/page.ts";
import { Code, Link, OutLink, Table, When, isWebUrl } from "../../../../src/web/frame/parts.tsx";
import { renderPart } from "../../../support/render-part.ts";

describe("links", () => {
  it.each([
    ["https://github.com/a/b", true],
    ["http://loki.test:3100/x?y=1", true],
    ["javascript:alert(1)", false],
    [" javascript:alert(1)", false],
    ["java\nscript:alert(1)", false],
    ["data:text/html,<script>1</script>", false],
    ["//other.test/x", false],
    ["https://name:password@other.test/", false],
    ["", false],
  ])("%j may be followed: %s", (url, isFollowed) => {
    expect(isWebUrl(url)).toBe(isFollowed);
    const rendered = renderPart(h(OutLink, { href: url, children: "x" }));
    expect(rendered.includes("href")).toBe(isFollowed);
  });

  it("lead from any depth to where the service is mounted", () => {
    expect(rootOf("/")).toBe("./");
    expect(rootOf("/episodes")).toBe("./");
    expect(rootOf("/episodes/")).toBe("../");
    expect(rootOf("/episodes/e1/x")).toBe("../../");
    expect(renderPart(h(Link, { to: 'x"y', children: "<b>" }))).toBe(
      '<a href="../x&quot;y">&lt;b></a>',
    );
  });
});

describe("parts", () => {
  it("show a time as seen from now with the absolute one beside it", () => {
    const ms = Date.UTC(2026, 11, 1, 12);
    const rendered = renderPart(h(When, { ms }), ms + 300_000);
    expect(rendered).toContain('datetime="2026-12-01T12:00:00.000Z"');
    expect(rendered).toContain("5 min ago");
    expect(rendered).toContain("2026-12-01 12:00:00 UTC");
    expect(renderPart(h(When, { ms: Number.NaN }))).toContain("unknown");
  });

  it("show text from outside as text", () => {
    expect(renderPart(h(Code, { text: "<script>\u001b" }))).toBe("<code>&lt;script>␛</code>");
  });

  it("let a wide table be scrolled by keyboard", () => {
    const head = [{ name: "What" }, { name: "Times", numeric: true }];
    const rendered = renderPart(h(Table, { label: "Errors", head, children: null }));
    expect(rendered).toMatch(/role="region" aria-label="Errors" tabindex="0"/u);
    expect(rendered).toContain('<th scope="col" class="number">Times</th>');
  });
});

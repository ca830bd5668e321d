import { describe, expect, it } from "vitest";
import { locate } from "../../../src/log/mapped-text.ts";
import { parseExcerpt } from "../../../src/parse/parse-excerpt.ts";
import { excerptOfLines } from "../../../src/enrich/explain-case.ts";

interface Row {
  readonly title: string;
  readonly lines: readonly string[];
  /** Text that one view must hold, whole or in part. */
  readonly holds: string;
  readonly level?: string;
  readonly target?: string;
  readonly programs?: readonly string[];
  readonly events?: number;
}

const ROWS: readonly Row[] = [
  {
    title: "tracing",
    lines: ["2026-03-01T10:00:00.1Z  WARN a_b::c: it broke x=1"],
    holds: "it broke",
    level: "warn",
    target: "a_b::c",
  },
  {
    title: "tracing with a thread",
    lines: ["2026-03-01T10:00:00.1Z ERROR rw-main a::b: it broke"],
    holds: "it broke",
    level: "error",
    target: "a::b",
  },
  {
    title: "JSON with a repeated key",
    lines: ['{"level":"ERROR","message":"first","message":"second one"}'],
    holds: "second one",
    level: "error",
  },
  {
    title: "JSON over several lines",
    lines: ["{", '  "level": "error",', '  "msg": "it broke"', "}"],
    holds: "it broke",
    level: "error",
    events: 1,
  },
  {
    title: "JSON that was cut off",
    lines: ['{"level":"error","msg":"it broke whi'],
    holds: "it broke whi",
    level: "error",
  },
  {
    title: "JSON behind tabs",
    lines: ['2026-03-01T10:00:00Z\terror\ta/b.go:7\tmessage\t{"error": "it \\"broke\\""}'],
    holds: 'it "broke"',
    level: "error",
  },
  {
    title: "pino numbers",
    lines: ['{"level":50,"msg":"it broke"}'],
    holds: "it broke",
    level: "error",
  },
  {
    title: "logfmt",
    lines: [String.raw`ts=2026-03-01T10:00:00Z level=warn msg="it \"broke\""`],
    holds: 'it "broke"',
    level: "warn",
  },
  {
    title: "klog",
    lines: ["E0301 10:00:00.1       1 a.go:7] it broke"],
    holds: "it broke",
    level: "error",
  },
  {
    title: "log4j",
    lines: [
      "2026-03-01 10:00:00,123 ERROR [main] o.a.K:12 - it broke",
      "java.lang.IllegalStateException: no",
      "\tat a.b.C(C.java:1)",
    ],
    holds: "IllegalStateException: no",
    level: "error",
    events: 1,
  },
  {
    title: "CRI",
    lines: ["2026-03-01T10:00:00.1Z stdout F ERROR it broke"],
    holds: "ERROR it broke",
    level: "error",
  },
  {
    title: "docker's json-file",
    lines: ['{"log":"ERROR it broke\\n","stream":"stdout","time":"2026-03-01T10:00:00Z"}'],
    holds: "ERROR it broke",
    level: "error",
  },
  {
    title: "docker-compose",
    lines: ["db-1  | ERROR:  it broke", "db-1  | DETAIL: why"],
    holds: "ERROR:  it broke\nDETAIL: why",
    level: "error",
    programs: ["db-1"],
    events: 1,
  },
  {
    title: "kubectl logs --prefix",
    lines: ["[pod/api-1/app] ERROR it broke"],
    holds: "ERROR it broke",
    level: "error",
    programs: ["app"],
  },
  {
    title: "stern",
    lines: ["api-6c9d-x2 app ERROR it broke"],
    holds: "ERROR it broke",
    level: "error",
    programs: ["app"],
  },
  {
    title: "journald",
    lines: ["Mar 01 10:00:00 node-1 kubelet[7]: E0301 10:00:00.1 7 a.go:1] it broke"],
    holds: "it broke",
    level: "error",
    programs: ["kubelet"],
  },
  {
    title: "rsyslog with folded line feeds",
    lines: ["Mar  1 10:00:00 node-1 app[7]: ERROR it broke#012second line"],
    holds: "it broke\nsecond line",
    level: "error",
    programs: ["app"],
  },
  {
    title: "Google Cloud's export",
    lines: [
      "INFO 2026-03-01T10:00:00.1Z [resource.labels.containerName: compute] 2026-03-01T10:00:00Z ERROR it broke",
    ],
    holds: "ERROR it broke",
    level: "error",
    programs: ["compute"],
  },
  {
    title: "logcli",
    lines: ['2026-03-01T10:00:00Z {app="a", pod="b"} {"level":"error","msg":"it broke"}'],
    holds: "it broke",
    level: "error",
  },
  {
    title: "PostgreSQL's stderr",
    lines: ["2026-03-01 10:00:00.884 UTC [21987] app@shop ERROR:  it broke"],
    holds: "it broke",
    level: "error",
    programs: ["postgres"],
  },
  {
    title: "Redis",
    lines: ["811:M 14 Feb 2026 18:22:07.331 # it broke"],
    holds: "it broke",
    level: "warn",
    programs: ["redis"],
  },
  {
    title: "a Rust panic",
    lines: ["thread 'main' panicked at src/a.rs:7:5:", "it broke"],
    holds: "it broke",
    level: "fatal",
    events: 1,
  },
  {
    title: "a Go panic",
    lines: ["panic: it broke", "", "goroutine 1 [running]:", "main.main()"],
    holds: "it broke",
    level: "fatal",
    events: 1,
  },
  {
    title: "colours",
    lines: ["\u001b[31mERROR\u001b[0m it \u001b[1mbroke\u001b[0m"],
    holds: "ERROR it broke",
    level: "error",
  },
];

describe("parseExcerpt", () => {
  it.each(ROWS)("reads $title", ({ lines, holds, level, target, programs, events }) => {
    const parsed = parseExcerpt(excerptOfLines(lines));
    const view = parsed.views.find(({ text }) => text.includes(holds));
    expect(view, JSON.stringify(parsed.views.map(({ text }) => text))).toBeDefined();
    expect(view?.event.facts.level).toBe(level);
    if (target !== undefined) expect(view?.event.facts.target).toBe(target);
    if (programs !== undefined) expect(view?.event.facts.programs).toEqual(programs);
    if (events !== undefined) expect(parsed.events).toHaveLength(events);
  });

  it.each(ROWS.filter(({ title }) => !title.startsWith("rsyslog")))(
    "maps each character of $title back to its place",
    ({ lines }) => {
      for (const view of parseExcerpt(excerptOfLines(lines)).views) {
        for (let at = 0; at < view.text.length; at += 1) {
          const letter = view.text.charAt(at);
          const { line, column } = locate(view, at);
          const source = lines[line] ?? "";
          // An escape maps to its backslash, a line feed to the line it ends.
          if (letter !== "\n" && source.charAt(column) !== "\\")
            expect(source.charAt(column)).toBe(letter);
        }
      }
    },
  );

  it("marks queries, source lines and frames as text that was not printed as an error", () => {
    const lines = [
      "Traceback (most recent call last):",
      '  File "/a.py", line 3, in f',
      '    raise Broken("x")',
      "Broken: really",
      "[SQL] select 'x'",
    ];
    const [view] = parseExcerpt(excerptOfLines(lines)).views;
    expect(
      view?.stretches.map(({ kind, start, end }) => [kind, view.text.slice(start, end)]),
    ).toEqual([
      ["frame", '  File "/a.py", line 3, in f'],
      ["source", '    raise Broken("x")'],
      ["query", "select 'x'"],
    ]);
  });

  it("keeps streams apart", () => {
    const entries = [
      { timestampNs: 1n, text: "ERROR a", stream: "1" },
      { timestampNs: 2n, text: "ERROR b", stream: "2" },
      { timestampNs: 3n, text: "  more of a", stream: "1" },
    ];
    const { events } = parseExcerpt({ entries, provenance: "query", cut: false });
    expect(events.map(({ text }) => text)).toEqual(["ERROR a\n  more of a", "ERROR b"]);
  });

  it("reads only marked lines and the rest of their events", () => {
    const lines = ["INFO one", "ERROR two", "  goes on", "INFO three"];
    const { events } = parseExcerpt(excerptOfLines(lines), Uint8Array.of(0, 0, 1, 0));
    expect(events.map(({ text }) => text)).toEqual(["ERROR two\n  goes on"]);
  });
});

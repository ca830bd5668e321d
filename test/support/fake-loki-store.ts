import { LokiRefusal } from "./fake-loki-query.ts";
import type { FakeLokiQuery } from "./fake-loki-query.ts";

type Labels = Readonly<Record<string, string>>;
type Metadata = Readonly<Record<string, string>>;

/** One stored line. */
interface Line {
  readonly timestampNs: bigint;
  readonly text: string;
  readonly metadata: Metadata;
}

/** A label set with its lines. */
interface Stream {
  readonly labels: Labels;
  /** `{a="b", …}`, keys sorted: identity and order of streams. */
  readonly name: string;
  readonly lines: Line[];
}

/** What is asked of the store. */
export interface FakeRange {
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly limit: number;
  readonly direction: "forward" | "backward";
}

/** Streams of an answer, in Loki's order. */
export interface FoundStream {
  readonly labels: Labels;
  readonly lines: readonly Line[];
}

const SLOT_NS = 1_800_000_000_000n;

/** The pushed streams of one tenant. */
export class FakeLokiStore {
  readonly #streams = new Map<string, Stream>();

  /** @throws {LokiRefusal} 400 where Loki refuses the push. */
  push(body: unknown): void {
    for (const pushed of streamsOf(body)) {
      const labels = Object.fromEntries(
        Object.entries(pushed.stream ?? {})
          .filter(([, value]) => value !== "")
          .toSorted(([left], [right]) => (left < right ? -1 : 1)),
      );
      this.#add(labels, (pushed.values ?? []).map(lineOf));
    }
  }

  #add(labels: Labels, lines: readonly Line[]): void {
    if (Object.keys(labels).length === 0) {
      throw new LokiRefusal(400, "error at least one label pair is required per stream\n");
    }
    const name = nameOf(labels);
    const stream = this.#streams.get(name) ?? { labels, name, lines: [] };
    for (const line of lines) {
      const { timestampNs, text } = line;
      const isKnown = stream.lines.some(
        (known) => known.timestampNs === timestampNs && known.text === text,
      );
      if (!isKnown) stream.lines.push(line);
    }
    // Stable, so that lines of one time stay in the order they were pushed in.
    stream.lines.sort((left, right) => compare(left.timestampNs, right.timestampNs));
    this.#streams.set(name, stream);
  }

  find(query: FakeLokiQuery, range: FakeRange): FoundStream[] {
    const isBackward = range.direction === "backward";
    const hits = [...this.#streams.values()]
      .filter(({ labels }) => query.selects(labels))
      .flatMap((stream) => linesIn(stream, query, range).map((line) => ({ stream, line })));
    const ordered = hits.toSorted((left, right) => {
      const order = compare(left.line.timestampNs, right.line.timestampNs);
      return isBackward ? -order : order;
    });
    const kept = new Map<Stream, Line[]>();
    for (const { stream, line } of ordered.slice(0, range.limit)) {
      kept.set(stream, [...(kept.get(stream) ?? []), line]);
    }
    const streams = [...kept].toSorted(([left], [right]) => (left.name < right.name ? -1 : 1));
    if (isBackward && range.startNs / SLOT_NS !== (range.endNs - 1n) / SLOT_NS) streams.reverse();
    return streams.map(([{ labels }, lines]) => ({ labels, lines }));
  }

  /** Sorted. */
  labelNames(): string[] {
    const names = [...this.#streams.values()].flatMap(({ labels }) => Object.keys(labels));
    return [...new Set(names)].sort();
  }

  /** Sorted. */
  labelValues(name: string): string[] {
    const values = [...this.#streams.values()].flatMap(({ labels }) => labels[name] ?? []);
    return [...new Set(values)].sort();
  }

  series(query: FakeLokiQuery): Labels[] {
    return [...this.#streams.values()]
      .map(({ labels }) => labels)
      .filter((labels) => query.selects(labels));
  }
}

function linesIn(stream: Stream, query: FakeLokiQuery, range: FakeRange): Line[] {
  const lines = stream.lines.filter(
    ({ timestampNs, text }) =>
      timestampNs >= range.startNs && timestampNs < range.endNs && query.keeps(text),
  );
  return range.direction === "backward" ? lines.reverse() : lines;
}

function compare(left: bigint, right: bigint): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function nameOf(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `{${pairs.join(", ")}}`;
}

interface PushedStream {
  readonly stream?: Labels;
  readonly values?: readonly unknown[];
}

function streamsOf(body: unknown): readonly PushedStream[] {
  if (typeof body !== "object" || body === null) throw new LokiRefusal(400, "EOF\n");
  return (body as { streams?: readonly PushedStream[] }).streams ?? [];
}

function lineOf(value: unknown): Line {
  const [time, text, metadata = {}] = value as readonly unknown[];
  const isGood = typeof time === "string" && /^\d+$/u.test(time) && typeof text === "string";
  if (!isGood) {
    const fault =
      "loghttp.PushRequest.Streams: []loghttp.LogProtoStream: unmarshalerDecoder: Value looks like Number/Boolean/None, but can't find its end: ',' or '}' symbol\n";
    throw new LokiRefusal(400, fault);
  }
  return { timestampNs: BigInt(time), text, metadata: metadata as Metadata };
}

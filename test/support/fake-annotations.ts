/** An annotation as the fake keeps it; all times in milliseconds. */
export interface FakeAnnotation {
  /** A whole number as text: newer storages give ones that a double does not hold. */
  readonly id: string;
  readonly orgId: number;
  /** Empty: of the organisation. */
  readonly dashboardUID: string;
  readonly panelId: number;
  readonly time: number;
  readonly timeEnd: number;
  readonly text: string;
  readonly tags: readonly string[];
}

/** Says no as Grafana does. */
export class GrafanaRefusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** What a request may change; absent, 0 and empty mean "leave". */
export interface AnnotationWish {
  readonly text: string;
  readonly time: number;
  readonly timeEnd: number;
  readonly tags: readonly string[] | undefined;
  readonly dashboardUID: string;
  readonly panelId: number;
}

/** `[annotations] tags_length`. */
const TAGS_CHARACTERS_MAX = 500;
/** A TEXT column of MySQL. */
const TEXT_BYTES_MAX = 65_535;

/** Reads the body of a request; wrong types are refused, unknown fields left out. */
export function readAnnotationWish(body: string): AnnotationWish {
  const fields = parse(body);
  return {
    text: textOf(fields["text"]),
    time: wholeOf(fields["time"]),
    timeEnd: wholeOf(fields["timeEnd"]),
    tags: tagsOf(fields["tags"]),
    dashboardUID: textOf(fields["dashboardUID"]),
    panelId: wholeOf(fields["panelId"]),
  };
}

/** A new annotation; `place` is what is left of the wish once the dashboard was looked up. */
export function makeAnnotation(
  wish: AnnotationWish,
  made: Pick<FakeAnnotation, "id" | "orgId" | "dashboardUID" | "panelId"> & { nowMs: number },
): FakeAnnotation {
  const { nowMs, ...rest } = made;
  const time = wish.time === 0 ? nowMs : wish.time;
  const timeEnd = wish.timeEnd === 0 ? time : wish.timeEnd;
  return checked({ ...rest, text: wish.text, tags: wish.tags ?? [], ...inOrder(time, timeEnd) });
}

/** An annotation after a PATCH. */
export function patchAnnotation(before: FakeAnnotation, wish: AnnotationWish): FakeAnnotation {
  const time = wish.time === 0 ? before.time : wish.time;
  const timeEnd = wish.timeEnd === 0 ? before.timeEnd : wish.timeEnd;
  return checked({
    ...before,
    text: wish.text === "" ? before.text : wish.text,
    tags: wish.tags ?? before.tags,
    ...inOrder(time, timeEnd),
  });
}

function inOrder(time: number, timeEnd: number) {
  return { time: Math.min(time, timeEnd), timeEnd: Math.max(time, timeEnd) };
}

function checked(annotation: FakeAnnotation): FakeAnnotation {
  if (annotation.text === "") throw new GrafanaRefusal(400, "Failed to save annotation");
  const isTooLong =
    JSON.stringify(annotation.tags).length > TAGS_CHARACTERS_MAX ||
    Buffer.byteLength(annotation.text) > TEXT_BYTES_MAX;
  if (isTooLong) throw new GrafanaRefusal(500, "Failed to save annotation");
  return annotation;
}

/** A tag is kept as key and value: what follows a second colon is lost. */
function keptTags(tags: readonly string[]): readonly string[] {
  const kept = tags.flatMap((tag) => {
    const [key = "", value = ""] = tag.split(":").map((part) => part.trim());
    if (key === "") return [];
    return [value === "" ? key : `${key}:${value}`];
  });
  return [...new Set(kept)];
}

function parse(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch {
    // Refused below.
  }
  throw new GrafanaRefusal(400, "bad request data");
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  throw new GrafanaRefusal(400, "bad request data");
}

function wholeOf(value: unknown): number {
  if (value === undefined || value === null) return 0;
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  throw new GrafanaRefusal(400, "bad request data");
}

function tagsOf(value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value) && value.every((tag) => typeof tag === "string")) return keptTags(value);
  throw new GrafanaRefusal(400, "bad request data");
}

import { z } from "zod";
import { LabelMatcherError, parseLabelMatchers } from "../alert/label-matcher.ts";
import type { LabelMatcher } from "../alert/label-matcher.ts";
import { parseByteSize, renderByteSize } from "./byte-size.ts";
import { parseDuration, renderDuration } from "./duration.ts";
import { parseListenAddress } from "./listen-address.ts";
import type { ListenAddress } from "./listen-address.ts";
import { Secret } from "./secret.ts";
import { optional, required, settingsSchema } from "./setting.ts";

/** Longest text value of the file, in UTF-16 units. */
const TEXT_CHARS_MAX = 16_384;

const anyText = z
  .string({ error: ({ input }) => (input === undefined ? "is required" : "must be text") })
  .min(1, "must not be empty")
  .max(TEXT_CHARS_MAX, `must not be longer than ${String(TEXT_CHARS_MAX)} characters`);

/** Text of one form; `what` completes "must be …". */
export function text(form: RegExp, what: string): z.ZodType<string> {
  return anyText.regex(form, `must be ${what}`);
}

/** A short name that may be a metric label or a key of an annotation. */
export const name = text(/^[a-zA-Z_][a-zA-Z0-9_.-]{0,127}$/u, "a name of letters, digits, _ . -");

/** Path of a file or folder; relative ones are resolved by `load-config`. */
export const fileName: z.ZodType<string> = anyText;

/** Text that `parse` understands; the value itself is not repeated in the fault, for it may be secret. */
function parsed<T>(parse: (text: string) => T | undefined, what: string): z.ZodType<T> {
  return anyText.transform((value, context) => {
    const result = parse(value);
    if (result !== undefined) return result;
    context.addIssue({ code: "custom", message: `must be ${what}` });
    return z.NEVER;
  });
}

/** Milliseconds between two bounds, both allowed. */
export function duration(minMs: number, maxMs: number): z.ZodType<number> {
  const range = `from ${renderDuration(minMs)} to ${renderDuration(maxMs)}`;
  return parsed(
    (value) => within(parseDuration(value), minMs, maxMs),
    `a duration such as 5s, 1h30m or 300ms, ${range}`,
  );
}

/** Bytes between two bounds, both allowed. */
export function byteSize(minBytes: number, maxBytes: number): z.ZodType<number> {
  const range = `from ${renderByteSize(minBytes)} to ${renderByteSize(maxBytes)}`;
  return parsed(
    (value) => within(parseByteSize(value), minBytes, maxBytes),
    `a size such as 300B, 1KiB or 32MiB, ${range}`,
  );
}

function within(value: number | undefined, min: number, max: number): number | undefined {
  return value !== undefined && value >= min && value <= max ? value : undefined;
}

/** A number between two bounds, both allowed; also as text, for `${ENV}` gives text. */
export function numberBetween(min: number, max: number): z.ZodType<number> {
  const what = `must be a number from ${String(min)} to ${String(max)}`;
  return z.preprocess(numberOfText, z.number(what).min(min, what).max(max, what));
}

/** As `numberBetween`, without a fraction. */
export function wholeNumber(min: number, max: number): z.ZodType<number> {
  const what = `must be a whole number from ${String(min)} to ${String(max)}`;
  return z.preprocess(numberOfText, z.int(what).min(min, what).max(max, what));
}

function numberOfText(value: unknown): unknown {
  const isNumber = typeof value === "string" && /^-?\d{1,15}(?:\.\d{1,15})?$/u.test(value);
  return isNumber ? Number(value) : value;
}

/** `true` or `false`; also as text, for `${ENV}` gives text. */
export const flag: z.ZodType<boolean> = z.preprocess(
  (value) => (value === "true" || value === "false" ? value === "true" : value),
  z.boolean("must be true or false"),
);

/** One of a closed list of words. */
export function oneOf<const T extends readonly [string, ...string[]]>(
  words: T,
): z.ZodType<T[number]> {
  const list = words.join(", ");
  return z.enum(words, {
    error: ({ input }) => (input === undefined ? "is required" : `must be one of: ${list}`),
  });
}

/** A list with at most `max` members. */
export function listOf<T>(member: z.ZodType<T>, max: number): z.ZodType<readonly T[]> {
  return z
    .array(member, "must be a list")
    .max(max, `must not have more than ${String(max)} entries`);
}

/** `host:port`, each as Prometheus takes them. */
export const listenAddress: z.ZodType<ListenAddress> = parsed(
  parseListenAddress,
  "an address such as :9845, 127.0.0.1:9845 or [::1]:9845",
);

/** An absolute http or https URL; final slashes are taken off. */
export const httpUrl: z.ZodType<string> = parsed(
  (value) => (isHttpUrl(value) ? value.replace(/\/+$/u, "") : undefined),
  "an http:// or https:// URL",
);

/** An http or https URL that may hold credentials. */
export const secretUrl: z.ZodType<Secret> = parsed(
  (value) => (isHttpUrl(value) ? new Secret(value) : undefined),
  "an http:// or https:// URL",
);

function isHttpUrl(value: string): boolean {
  return /^https?:\/\/[^/\s]/iu.test(value) && URL.canParse(value);
}

/** A text that is never shown. */
export const secret: z.ZodType<Secret> = anyText.transform((value) => new Secret(value));

/** How a caller proves who it is: a bearer token or a user name with its password, not both. */
export const authentication = settingsSchema({
  bearerToken: optional("bearer_token", secret),
  basicAuth: optional(
    "basic_auth",
    settingsSchema({
      username: required("username", anyText),
      password: required("password", secret),
    }),
  ),
});

/**
 * Lists of matchers, of which one must hold as a whole. A member is text (matchers separated by
 * commas) or a list of such texts.
 */
export const matcherLists: z.ZodType<readonly (readonly LabelMatcher[])[]> = listOf(
  z.union([matchersText(), listOf(matchersText(), 100).transform((lists) => lists.flat())]),
  1000,
);

function matchersText(): z.ZodType<readonly LabelMatcher[]> {
  return anyText.transform((value, context) => {
    try {
      return parseLabelMatchers(value);
    } catch (error) {
      if (!(error instanceof LabelMatcherError)) throw error;
      context.addIssue({ code: "custom", message: error.message });
      return z.NEVER;
    }
  });
}

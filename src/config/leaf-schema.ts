import { RE2JS } from "re2js";
import { z } from "zod";
import { LabelMatcherError, parseLabelMatchers } from "../alert/label-matcher.ts";
import type { LabelMatcher } from "../alert/label-matcher.ts";
import { QueryTemplateError, parseQueryTemplate } from "../log/query-template.ts";
import type { QueryTemplate } from "../log/query-template.ts";
import { parseByteSize, renderByteSize } from "./byte-size.ts";
import { parseDuration, renderDuration } from "./duration.ts";
import { parseListenAddress } from "./listen-address.ts";
import type { ListenAddress } from "./listen-address.ts";
import { Secret } from "./secret.ts";
import { optional, required, secretly, settingsSchema } from "./setting.ts";

/** Longest text value of the file, in UTF-16 units. */
const TEXT_CHARS_MAX = 16_384;

const TOO_LONG = `must not be longer than ${String(TEXT_CHARS_MAX)} characters`;

/** Text; `what` completes "must be …" for a value that is none, such as the number in `deadline: 5`. */
function textOr(what: string): z.ZodString {
  return z
    .string({ error: ({ input }) => (input === undefined ? "is required" : `must be ${what}`) })
    .min(1, "must not be empty")
    .max(TEXT_CHARS_MAX, TOO_LONG);
}

const anyText = textOr("text");

/** Text of one form; `what` completes "must be …". */
export function text(form: RegExp, what: string): z.ZodType<string> {
  return textOr(what).regex(form, `must be ${what}`);
}

/** Text that may be empty, where empty switches something off. */
export const freeText: z.ZodType<string> = z.string("must be text").max(TEXT_CHARS_MAX, TOO_LONG);

/** A short name that may be a metric label or a key of an annotation. */
export const name = text(/^[a-zA-Z_][a-zA-Z0-9_.-]{0,127}$/u, "a name of letters, digits, _ . -");

/** Path of a file or folder; relative ones are resolved by `load-config`. */
export const fileName: z.ZodType<string> = anyText;

/** Text that `parse` understands; the value itself is not repeated in the fault, for it may be secret. */
function parsed<T>(parse: (text: string) => T | undefined, what: string): z.ZodType<T> {
  return textOr(what).transform((value, context) => {
    const result = parse(value);
    if (result !== undefined) return result;
    context.addIssue({ code: "custom", message: `must be ${what}` });
    return z.NEVER;
  });
}

/** An expression in RE2 syntax that does not match the empty text; stays text. */
export const linearExpression: z.ZodType<string> = anyText.superRefine((value, context) => {
  const fault = faultOfExpression(value);
  if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
});

/** The same, or the empty text, which switches something off. */
export const linearExpressionOrNone: z.ZodType<string> = z.union([z.literal(""), linearExpression]);

function faultOfExpression(source: string): string | undefined {
  try {
    return RE2JS.compile(source).test("") ? "must not match the empty text" : undefined;
  } catch {
    return "must be a regular expression in RE2 syntax";
  }
}

/** A LogQL query with places for label values. */
export const queryTemplate: z.ZodType<QueryTemplate> = anyText.transform((value, context) => {
  try {
    return parseQueryTemplate(value);
  } catch (error) {
    if (!(error instanceof QueryTemplateError)) throw error;
    context.addIssue({ code: "custom", message: error.message });
    return z.NEVER;
  }
});

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
export function listOf<T>(member: z.ZodType<T>, max: number): z.ZodArray<z.ZodType<T>> {
  return z
    .array(member, "must be a list")
    .max(max, `must not have more than ${String(max)} entries`);
}

/** A list of mappings whose `name` keys differ. */
export function uniquelyNamed<T extends { readonly name: string }>(
  list: z.ZodArray<z.ZodType<T>>,
): z.ZodArray<z.ZodType<T>> {
  return list.superRefine(
    (members: readonly unknown[], context) => {
      const names = members.map((member) => isMapping(member) && member["name"]);
      for (const [index, value] of names.entries()) {
        if (typeof value !== "string" || names.indexOf(value) === index) continue;
        const message = "is the name of an earlier entry; names must differ";
        context.addIssue({ code: "custom", path: [index, "name"], message });
      }
    },
    { when: ({ value }) => Array.isArray(value) },
  );
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
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

/** An absolute http or https URL without credentials; a final slash has its meaning. */
export const datasetUrl: z.ZodType<string> = parsed(
  (value) => (isHttpUrl(value) && !hasCredentials(value) ? value : undefined),
  "an http:// or https:// URL without user and password",
);

function hasCredentials(value: string): boolean {
  const { username, password } = new URL(value);
  return username !== "" || password !== "";
}

function isHttpUrl(value: string): boolean {
  return /^https?:\/\/[^/\s]/iu.test(value) && URL.canParse(value);
}

const secretText = z
  .string({
    error: ({ input }) =>
      input === undefined ? "is required, here or as the same key with _file" : "must be text",
  })
  .min(1, "must not be empty")
  .max(TEXT_CHARS_MAX, TOO_LONG);

/** A text that is never shown. */
export const secret: z.ZodType<Secret> = secretText.transform((value) => new Secret(value));

/** An http or https URL that may hold credentials, as the ones of chat services do. */
export const secretUrl: z.ZodType<Secret> = secretText
  .refine(isHttpUrl, "must be an http:// or https:// URL")
  .transform((value) => new Secret(value));

/** How a caller proves who it is: a bearer token or a user name with its password, not both. */
export const authentication = settingsSchema(
  {
    bearerToken: secretly(optional("bearer_token", secret)),
    basicAuth: optional(
      "basic_auth",
      settingsSchema({
        username: required("username", anyText),
        password: secretly(required("password", secret)),
      }),
    ),
  },
  (mapping, report) => {
    const [token, basic] = [mapping["bearer_token"], mapping["basic_auth"]];
    if (token !== undefined && basic !== undefined) {
      report("basic_auth", "excludes bearer_token: one of both");
    }
    if (token === undefined && basic === undefined) {
      report("bearer_token", "is required, or basic_auth; leave auth out for no authentication");
    }
  },
);

/**
 * Lists of matchers, of which one must hold as a whole. A member is text (matchers separated by
 * commas) or a list of such texts.
 */
export const matcherLists: z.ZodType<readonly (readonly LabelMatcher[])[]> = listOf(
  z.unknown().transform((member, context) => {
    const texts = Array.isArray(member) ? (member as unknown[]) : [member];
    return texts.flatMap((value, index) => {
      const read = readMatchers(value);
      if (typeof read !== "string") return read;
      const path = Array.isArray(member) ? [index] : [];
      context.addIssue({ code: "custom", message: read, path });
      return [];
    });
  }),
  1000,
);

/** Matchers that must all hold, as one text. */
export const matchers: z.ZodType<readonly LabelMatcher[]> = z
  .unknown()
  .transform((value, context) => {
    const read = readMatchers(value);
    if (typeof read !== "string") return read;
    context.addIssue({ code: "custom", message: read });
    return z.NEVER;
  });

/** The matchers, or what is wrong with the text. */
function readMatchers(value: unknown): readonly LabelMatcher[] | string {
  if (typeof value !== "string") return 'must be text such as severity="critical"';
  if (value.length > TEXT_CHARS_MAX) return TOO_LONG;
  try {
    return parseLabelMatchers(value);
  } catch (error) {
    if (!(error instanceof LabelMatcherError)) throw error;
    return error.message;
  }
}

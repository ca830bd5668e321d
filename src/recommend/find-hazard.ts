import type { KnownError } from "../record/known-error.ts";

/** A kind of failure that is never answered with a bare retry, whatever rules and records say. */
export interface Hazard {
  readonly name:
    "disk" | "quota" | "memory" | "authentication" | "corruption" | "non-idempotent-write";
  /**
   * Whether a person can remove the cause, so that trying again after it makes sense. Damaged data and
   * writes that may have happened already are made worse by any repetition.
   */
  readonly fixable: boolean;
  /** Completes "This is about …". */
  readonly subject: string;
}

interface HazardSigns {
  readonly hazard: Hazard;
  /** Words of a family, a tag or a class that are enough by themselves. */
  readonly words: readonly string[];
  /** Phrases of a message or of the text printed in it; lower case, words parted by one blank. */
  readonly phrases: readonly string[];
  readonly httpStatuses: readonly number[];
}

/** The gravest first: the first one found is named. */
const SIGNS: readonly HazardSigns[] = [
  {
    hazard: { name: "corruption", fixable: false, subject: "damaged data" },
    words: terms("corrupt, corrupted, corruption, checksum, crc"),
    phrases: terms(
      "corrupt, corrupted, corruption, checksum mismatch, checksum failed, checksum error",
      "checksum does not match, checksums do not match, crc mismatch, bad magic",
      "invalid magic, data loss, bit rot, malformed page, torn page",
    ),
    httpStatuses: [],
  },
  {
    hazard: {
      name: "non-idempotent-write",
      fixable: false,
      subject: "a write that may have happened already",
    },
    words: terms("undetermined, duplicate"),
    phrases: terms(
      "non idempotent, not idempotent, nonidempotent, duplicate key, duplicate entry",
      "unique constraint, unique violation, already committed, already applied, partial write",
      "partially written, partially applied, partially committed, result is undetermined",
      "undetermined result, commit unknown, unknown commit, commit state unknown",
      "transaction may have been committed",
    ),
    httpStatuses: [],
  },
  {
    hazard: { name: "authentication", fixable: true, subject: "credentials or permissions" },
    words: terms(
      "auth, authentication, authorization, permission, permissions, unauthorized",
      "unauthenticated, forbidden, credential, credentials, login",
    ),
    phrases: terms(
      "unauthorized, unauthenticated, permission denied, access denied, forbidden",
      "authentication failed, authentication failure, authentication error",
      "authentication required, authorization failed, not authorized, not authorised",
      "operation not permitted, invalid credentials, bad credentials, wrong password",
      "invalid password, invalid token, expired token, token expired, token has expired",
      "token is expired, invalid access key, invalid api key, signature does not match",
      "status 401, status 403, status code 401, status code 403",
      "login failed, eacces, eperm, no credentials, credentials expired",
    ),
    httpStatuses: [401, 403, 407, 511],
  },
  {
    hazard: { name: "disk", fixable: true, subject: "a full or read-only disk" },
    words: terms("disk, enospc"),
    phrases: terms(
      "disk full, disk is full, no space left, no space on, enospc, not enough space",
      "not enough disk, out of disk, out of space, disk pressure, disk space",
      "insufficient storage, insufficient disk, insufficient space, space exceeded",
      "could not extend file, read only file system, read only filesystem, erofs",
      "storage full, storage is full, device full, volume is full, volume full",
    ),
    httpStatuses: [507],
  },
  {
    hazard: { name: "quota", fixable: true, subject: "a used-up quota" },
    words: terms("quota, quotas, exhausted, exhaustion"),
    phrases: terms(
      "quota, quota exceeded, quotaexceeded, over quota, edquot, resource exhausted",
      "too many open files, emfile, enfile",
    ),
    httpStatuses: [],
  },
  {
    hazard: { name: "memory", fixable: true, subject: "too little memory" },
    words: terms("memory, oom"),
    phrases: terms(
      "out of memory, outofmemory, outofmemoryerror, not enough memory, enomem",
      "insufficient memory, cannot allocate, can t allocate, could not allocate, memory limit",
      "memory exhausted, memory allocation, allocation failed, oom, oomkilled, oom killed",
      "heap space, gc overhead limit",
    ),
    httpStatuses: [],
  },
];

/**
 * Finds what forbids a bare retry, in the record and in the text that was printed around it: a record
 * such as `failed with IO error: {0}` is harmless until the log says `No space left on device`.
 *
 * Errs towards finding something, which costs no more than a retry not made. Linear in the text.
 *
 * @param record - What it is, what it says and how it is tagged.
 * @param printed - Captures of the matches that lead to the record.
 */
export function findHazard(record: KnownError, printed: readonly string[]): Hazard | undefined {
  const own = ownSigns.get(record) ?? findOwnSigns(record);
  ownSigns.set(record, own);
  const text = joinTexts(printed);
  const found = SIGNS.find((signs) => own.has(signs) || hasPhrase(signs, text));
  return found?.hazard;
}

/** What a record shows by itself, worked out once for each: only what was printed differs. */
const ownSigns = new WeakMap<KnownError, ReadonlySet<HazardSigns>>();

function findOwnSigns(record: KnownError): ReadonlySet<HazardSigns> {
  const names = [record.backgroundTag, record.errorClass, record.errorCode, ...record.tags];
  const nameWords = new Set(spaced(names.join(" ")).split(" "));
  const text = joinTexts([...names, record.errorMessage]);
  const found = SIGNS.filter(
    (signs) =>
      signs.words.some((word) => nameWords.has(word)) ||
      signs.httpStatuses.includes(record.httpStatus ?? 0) ||
      hasPhrase(signs, text),
  );
  return new Set(found);
}

// A line feed keeps phrases from reaching over two texts; `spaced` would fold it into a blank.
function joinTexts(texts: readonly (string | null)[]): string {
  return texts.map((text) => spaced(text ?? "")).join("\n");
}

function hasPhrase({ phrases }: HazardSigns, text: string): boolean {
  return phrases.some((phrase) => text.includes(` ${phrase} `));
}

/** A list in a form that stays readable over many lines. */
function terms(...lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(", "));
}

/** Lower-case words parted and surrounded by single blanks; `AccessDenied` gives two words. */
function spaced(text: string): string {
  const words = text
    .replaceAll(/([a-z0-9])(?=[A-Z])/g, "$1 ")
    .replaceAll(/[^A-Za-z0-9]+/g, " ")
    .toLowerCase()
    .trim();
  return ` ${words} `;
}

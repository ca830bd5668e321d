/** Ends of a name's last word that make it a secret wherever they stand, as in `PGPASSWORD`. */
const SECRET_ENDINGS = [
  ...["password", "passwd", "passphrase", "passcode", "passwort", "pwd", "secret"],
  ...["token", "apikey", "accesskey", "secretkey", "privatekey", "authkey", "accountkey"],
];

/** Words before `key` that make it a secret; a primary, partition or cache key is none. */
const KEY_OWNERS = new Set([
  ...[
    "api",
    "access",
    "secret",
    "private",
    "encryption",
    "decryption",
    "master",
    "signing",
    "hmac",
  ],
  ...["account", "shared", "auth", "session", "storage", "service", "webhook", "subscription"],
  ...["client", "app", "aes", "ssh", "license", "jwt"],
]);

/** Words before `token` that make it a place in a text, a list or a change, and no secret. */
const HARMLESS_TOKENS = new Set([
  ...["next", "page", "continuation", "continue", "cancellation", "cancel", "sync", "resume"],
  ...["change", "unexpected", "start", "end", "eof", "last", "current", "previous", "max", "min"],
]);
const HARMLESS_ENDINGS = ["pagetoken", "nexttoken", "continuetoken"];

/** Kinds of secret settings; the values of each are judged in their own way. */
export type SecretKind = "password" | "secret" | "token" | "header" | "cookie" | "key";

/** What a setting is by its name. */
export type KeyKind = "harmless" | SecretKind;

/** Last words that say it all, but only when they stand alone. */
const WHOLE_WORDS: Readonly<Partial<Record<string, KeyKind>>> = {
  pass: "password",
  pw: "password",
  psk: "password",
  credential: "secret",
  credentials: "secret",
  authorization: "header",
  cookie: "cookie",
  sig: "key",
};

/**
 * Says by a setting's name whether its value is a secret. Names end in what they hold: `token_type`,
 * `password_changed_at`, `secretName` and `max_tokens` hold none.
 */
export function kindOfKey(name: string): KeyKind {
  const words = wordsOf(name);
  const last = (words.at(-1) ?? "").replace(/\d{1,3}$/, "");
  const before = words.at(-2) ?? "";
  return WHOLE_WORDS[last] ?? kindAfter(before, last) ?? kindOfEnding(before, last);
}

/** Words whose meaning hangs on the word before; `undefined` for all others. */
function kindAfter(before: string, last: string): KeyKind | undefined {
  if (last === "key") return KEY_OWNERS.has(before) ? "key" : "harmless";
  // Signatures are public but for those that are themselves the permission.
  if (last === "signature") return before === "amz" || before === "access" ? "key" : "harmless";
  return undefined;
}

function kindOfEnding(before: string, last: string): KeyKind {
  const ending = SECRET_ENDINGS.find((one) => last.endsWith(one));
  if (ending === undefined) return "harmless";
  if (ending === "token") return isHarmlessToken(last, before) ? "harmless" : "token";
  if (ending === "secret") return last === ending ? "secret" : "key";
  return ending.endsWith("key") ? "key" : "password";
}

function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])(?=[A-Z])/g, "$1 ")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
}

function isHarmlessToken(last: string, before: string): boolean {
  if (last === "token") return HARMLESS_TOKENS.has(before);
  return HARMLESS_ENDINGS.some((ending) => last.endsWith(ending));
}

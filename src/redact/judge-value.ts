import type { SecretKind } from "./secret-key.ts";

/** Longer values are never taken for a placeholder or a word. */
const WORD_LENGTH_MAX = 64;

/** Longer values are taken for secrets, whatever they look like. */
const REMARK_LENGTH_MAX = 128;

/** What stands where a value would: masks, variables, format verbs, angle brackets. */
const PLACEHOLDER =
  /^(?:[*•]+|x{3,}|\.{2,}|-|\?+|\$?\{[^{}]*\}|\$\([^()]*\)|\{\{.*|%[-+ #0.\d]*[a-zA-Z]|%\(\w+\)[a-z]|\$[A-Z_][A-Z0-9_]*|<[^<>]*>|[[(]?(?:redacted|masked|hidden|filtered|removed|sensitive)[\])]?)$/i;

/** What messages say about a secret instead of saying it. */
const REMARKS = new Set([
  ...["null", "none", "nil", "undefined", "true", "false", "yes", "no", "ok", "empty", "missing"],
  ...["invalid", "expired", "required", "incorrect", "wrong", "unset", "unknown", "unexpected"],
  ...["mismatch", "revoked", "rejected", "denied", "failed", "error", "not", "is", "was", "has"],
  ...["must", "cannot", "could", "the", "a", "an", "<nil>", "success", "ok", "bad", "malformed"],
]);

/** Where a secret lies instead of what it is: `/etc/ssl/server.key`. */
const FILE = /^[.~]{0,2}\/(?:[\w.-]+\/)+(?:[\w.-]+\.[a-z]{2,5}|[a-z_-]+)$/;

/** Whether a value says nothing: empty, a placeholder, a file, or a remark such as `expired`. */
export function isPlaceholder(value: string): boolean {
  if (value === "") return true;
  if (value.length > WORD_LENGTH_MAX) return false;
  return PLACEHOLDER.test(value) || FILE.test(value) || REMARKS.has(value.toLowerCase());
}

/**
 * Whether text that may as well be prose looks like a secret: letters and digits or symbols mixed, or
 * long and of mixed case.
 */
export function looksSecret(value: string): boolean {
  if (value.length < 6) return false;
  const hasDigit = /\d/.test(value);
  const hasLetter = /[A-Za-z]/.test(value);
  if (hasLetter && (hasDigit || /[!#$%^&*~]/.test(value))) return true;
  return value.length >= 20 && /[a-z][A-Z]/.test(value);
}

/** Whether text behind `Bearer` or `Basic` is a credential and not the next word of a sentence. */
export function looksCredential(value: string): boolean {
  // A sign in the middle makes it the next setting: `token_type=Bearer expires_in=3600`.
  if (value.length < 8 || /=[^=]/.test(value)) return false;
  if (/\d/.test(value) && /[A-Za-z]/.test(value)) return true;
  return /[a-z][A-Z]|[A-Z]{2}[a-z]|=$/.test(value);
}

/** Whether a setting's value is to be masked, by the kind of its name. */
export function isSecretValue(kind: SecretKind, key: string, value: string): boolean {
  if (isPlaceholder(value)) return false;
  // What is longer than any remark is taken, also because it must not be looked at twice.
  if (value.length > REMARK_LENGTH_MAX) return true;
  switch (kind) {
    case "token":
      // Short numbers are counts and line numbers.
      return !/^\d{1,5}$/.test(value);
    case "secret":
      // Kubernetes writes a Secret's namespace and name: `secret="kube-system/registry"`.
      return !/^[a-z0-9-]+\/[a-z0-9.-]+$/.test(value);
    case "cookie":
      return value.includes("=") || looksSecret(value);
    case "password":
      return !isOtherThanPassword(key.toLowerCase(), value);
    case "key":
    case "header":
      return true;
  }
}

/** The shell's working directory, and the tests that passed. */
function isOtherThanPassword(key: string, value: string): boolean {
  if (key.endsWith("pwd") && /^[/~]/.test(value)) return true;
  return key.endsWith("pass") && /^[\d.,%]+$/.test(value);
}

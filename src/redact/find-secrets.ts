import { maskAddresses } from "./mask-addresses.ts";
import { maskCard } from "./mask-cards.ts";
import { maskPrivateKeys } from "./mask-private-keys.ts";
import { maskSetting } from "./mask-settings.ts";
import {
  maskAwsSecrets,
  maskCredential,
  maskHook,
  maskIdentified,
  maskJwt,
  maskSecretKey,
  maskSlackToken,
  maskUserFlag,
  maskVendorKey,
  maskWholeKey,
} from "./mask-tokens.ts";
import type { RedactOptions } from "./redact-options.ts";
import type { Masker, Span } from "./span.ts";

/** A place where a secret may be, and who looks at it. */
interface Search {
  /**
   * Finds candidates only. Several short expressions, each with few first letters, run far faster than
   * one that has them all: the engine then skips ahead instead of trying every place.
   */
  readonly candidate: RegExp;
  readonly mask: Masker;
}

const SEARCHES: readonly Search[] = [
  { candidate: /pass|pwd|secret|token/gi, mask: maskSetting },
  {
    candidate: /credential|authorization|cookie|signature|bearer |basic |identified by '/gi,
    mask: maskByWord,
  },
  // eslint-disable-next-line no-control-regex -- colours begin with an escape character
  { candidate: /(?:key|pw|psk)(?=[\\"'\]]{0,5} ?[=:%>\u001b])/gi, mask: maskSetting },
  // A look behind would cost five times the search.
  { candidate: /[?&]sig=/g, mask: (text, at, end, to) => maskSetting(text, at + 1, end - 1, to) },
  { candidate: /-u(?:ser)?[ =]["']?[\w.@+-]{1,64}:/g, mask: maskUserFlag },
  { candidate: /hooks\.slack\.com\/services\/|\/api\/webhooks\//g, mask: maskHook },
  { candidate: /A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}|AIza[\w-]{35}/g, mask: maskWholeKey },
  { candidate: /gh[opsur]_|npm_|glpat-|glsa_/g, mask: maskVendorKey },
  { candidate: /github_pat_|dop_v1_|pypi-|hvs\.|ya29\.|GOCSPX-/g, mask: maskVendorKey },
  { candidate: /xox[a-z]-|xapp-/g, mask: maskSlackToken },
  { candidate: /[sr]k[-_]/g, mask: maskSecretKey },
  { candidate: /eyJ[\w-]{8}/g, mask: maskJwt },
];

const CARDS: Search = {
  candidate: /[2-6]\d{3}(?:[ -]\d{4,6}[ -]\d{4}|\d{9})/g,
  mask: maskCard,
};

/**
 * Finds what is to be masked in a text, in any order; spans may overlap but never hold a line break.
 * Pure, in time linear in the text; never throws.
 */
export function findSecrets(text: string, options: RedactOptions): readonly Span[] {
  const spans: Span[] = [];
  maskPrivateKeys(text, spans);
  for (const search of SEARCHES) runSearch(search, text, spans);
  if (options.cardNumbers) runSearch(CARDS, text, spans);
  // The secret half of an AWS key is told by the public half beside it, which is masked by now.
  if (spans.length > 0) maskAwsSecrets(text, spans);
  maskAddresses(text, spans, options.emails);
  return spans;
}

/** Sorts out the words that are searched for together. */
function maskByWord(text: string, at: number, end: number, spans: Span[]): number {
  switch (text[at]?.toLowerCase()) {
    case "b":
      return maskCredential(text, at, end, spans);
    case "i":
      return maskIdentified(text, at, end, spans);
    default:
      return maskSetting(text, at, end, spans);
  }
}

function runSearch({ candidate, mask }: Search, text: string, spans: Span[]): void {
  candidate.lastIndex = 0;
  for (let found = candidate.exec(text); found !== null; found = candidate.exec(text)) {
    const end = candidate.lastIndex;
    candidate.lastIndex = Math.max(mask(text, found.index, end, spans), found.index + 1);
  }
}

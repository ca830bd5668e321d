import type { Annotations } from "../alert/alert.ts";
import type { AnnotationProfile } from "../alert/annotation-profile.ts";
import { ADVICE } from "./summarize.ts";

/**
 * The annotations of a resolved notification: those of the episode without any advice, that is without
 * `error_retry*` and with the summary ending before its advice.
 *
 * @param stored - What `renderAnnotations` gave while the alert fired.
 * @param prefix - The prefix it was rendered with.
 */
export function resolveAnnotations(
  stored: Readonly<Record<AnnotationProfile, Annotations>>,
  prefix: string,
): Readonly<Record<AnnotationProfile, Annotations>> {
  return { compact: resolved(stored.compact, prefix), full: resolved(stored.full, prefix) };
}

function resolved(annotations: Annotations, prefix: string): Annotations {
  return Object.fromEntries(
    Object.entries(annotations)
      .filter(([key]) => !key.startsWith(`${prefix}retry`))
      .map(([key, value]) => [key, key === `${prefix}summary` ? withoutAdvice(value) : value]),
  );
}

function withoutAdvice(summary: string): string {
  const at = summary.indexOf(ADVICE);
  return at < 0 ? summary : summary.slice(0, at);
}

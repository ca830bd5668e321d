import type { Annotations } from "../alert/alert.ts";
import type { AnnotationProfile } from "../alert/annotation-profile.ts";

/**
 * The annotations of a resolved notification: those of the episode without any advice.
 *
 * @param stored - What `renderAnnotations` gave while the alert fired.
 * @param prefix - The prefix it was rendered with.
 */
export function resolveAnnotations(
  stored: Readonly<Record<AnnotationProfile, Annotations>>,
  _prefix: string,
): Readonly<Record<AnnotationProfile, Annotations>> {
  return stored;
}

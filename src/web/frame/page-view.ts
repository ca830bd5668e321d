import type { VNode } from "preact";
import type { Section } from "./sections.ts";

/** What a page shows; the frame adds all around it. */
export interface PageView {
  /** Names the page in the tab and in the list of a screen reader; outside text is fine. */
  readonly title: string;
  /** The part of the navigation that is marked as the current one. */
  readonly section: Section | undefined;
  readonly body: VNode;
  /** Default 200. */
  readonly status?: number;
}

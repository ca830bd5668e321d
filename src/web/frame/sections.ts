/** The parts of the navigation in their order: path and what it is called. Every path answers. */
export const SECTIONS = [
  { path: "", name: "Overview" },
  { path: "episodes", name: "Episodes" },
  { path: "unmatched", name: "Unmatched" },
  { path: "deliveries", name: "Deliveries" },
  { path: "status", name: "Status" },
] as const;

/** The name of one part of the navigation. */
export type Section = (typeof SECTIONS)[number]["name"];

/** Whether there is a part of this name: pages link only to what is there. */
export function hasSection(name: string): boolean {
  return SECTIONS.some((section) => section.name === name);
}

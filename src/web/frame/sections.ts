/** The parts of the navigation in their order: path and what it is called. Every path answers. */
export const SECTIONS = [
  { path: "", name: "Overview" },
  { path: "episodes", name: "Episodes" },
  { path: "records", name: "Records" },
  { path: "explain", name: "Explain" },
  { path: "unmatched", name: "Unmatched" },
  { path: "deliveries", name: "Deliveries" },
  { path: "status", name: "Status" },
] as const;

/** The name of one part of the navigation. */
export type Section = (typeof SECTIONS)[number]["name"];

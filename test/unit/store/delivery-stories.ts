import type { Enqueued } from "../../../src/enrich/delivery-ports.ts";

/**
 * One step of a story. `post`: a body whose capital letters fire and small ones are resolved, with
 * `+` where members were cut off; `send`: what the destination then gets, `refuse` and `lose`: it gets
 * it and says no, or nothing at all; nothing is due where the text is empty.
 */
export interface Step {
  readonly atS: number;
  readonly post?: string;
  readonly becomes?: Enqueued;
  readonly send?: string;
  readonly refuse?: string;
  readonly lose?: string;
}

/** What is posted to one destination and what it gets, step by step. */
export const STORIES: readonly { readonly name: string; readonly steps: readonly Step[] }[] = [
  {
    name: "sends the whole body when one member newly resolves",
    steps: [
      { atS: 0, post: "AB", becomes: "queued", send: "AB" },
      { atS: 10, post: "aB", becomes: "queued", send: "aB" },
    ],
  },
  {
    name: "sends the whole body when one member newly fires",
    steps: [
      { atS: 0, post: "A", send: "A" },
      { atS: 10, post: "AB", becomes: "queued", send: "AB" },
    ],
  },
  {
    name: "takes the same body within the window for a copy and later for a repeat",
    steps: [
      { atS: 0, post: "A", send: "A" },
      { atS: 15, post: "A", becomes: "copy", send: "" },
      { atS: 44, post: "A", becomes: "copy", send: "" },
      { atS: 45, post: "A", becomes: "queued", send: "A" },
    ],
  },
  {
    name: "lets repeats every 30 s pass, for copies do not move the window",
    steps: [
      { atS: 0, post: "A", send: "A" },
      { atS: 30, post: "A", becomes: "copy", send: "" },
      { atS: 60, post: "A", becomes: "queued", send: "A" },
      { atS: 90, post: "A", becomes: "copy", send: "" },
      { atS: 120, post: "A", becomes: "queued", send: "A" },
    ],
  },
  {
    name: "tells what the second of two peers knows more, and nothing when it knows less",
    steps: [
      { atS: 0, post: "A", send: "A" },
      { atS: 15, post: "AB", becomes: "queued", send: "AB" },
      { atS: 16, post: "A", becomes: "copy", send: "" },
    ],
  },
  {
    name: "tells a resolve of a firing that never came here, once",
    steps: [
      { atS: 0, post: "a", becomes: "queued", send: "a" },
      { atS: 15, post: "a", becomes: "copy", send: "" },
    ],
  },
  {
    name: "replaces what was not sent by what is newer",
    steps: [
      { atS: 0, post: "A", becomes: "queued" },
      { atS: 5, post: "AB", becomes: "replaced", send: "AB" },
      { atS: 6, post: "AB", becomes: "copy", send: "" },
    ],
  },
  {
    name: "drops what fired and resolved while nothing was sent, and its copy",
    steps: [
      { atS: 0, post: "A", becomes: "queued" },
      { atS: 5, post: "a", becomes: "dropped", send: "" },
      { atS: 20, post: "a", becomes: "copy", send: "" },
      { atS: 30, post: "A", becomes: "queued", send: "A" },
    ],
  },
  {
    name: "drops nothing of a body with members cut off: one of them may fire",
    steps: [
      { atS: 0, post: "A+", becomes: "queued" },
      { atS: 5, post: "a+", becomes: "replaced", send: "a" },
    ],
  },
  {
    name: "tells the resolve when the firing was refused, in a body with others",
    steps: [
      { atS: 0, post: "AB", refuse: "AB" },
      { atS: 5, post: "aB", becomes: "replaced", send: "aB" },
    ],
  },
  {
    name: "drops the resolve of a firing that was surely refused",
    steps: [
      { atS: 0, post: "A", refuse: "A" },
      { atS: 5, post: "a", becomes: "dropped", send: "" },
    ],
  },
  {
    name: "tells the resolve of a firing that may have been taken",
    steps: [
      { atS: 0, post: "A", lose: "A" },
      { atS: 5, post: "a", becomes: "replaced", send: "a" },
    ],
  },
  {
    name: "carries on a resolve that the next body does not have any more",
    steps: [
      { atS: 0, post: "AB", send: "AB" },
      { atS: 10, post: "aB", becomes: "queued" },
      { atS: 20, post: "BC", becomes: "replaced", send: "BCa" },
      { atS: 30, post: "BC", becomes: "copy", send: "" },
    ],
  },
  {
    name: "carries on a member that only the first of two peers knew",
    steps: [
      { atS: 0, post: "AB", becomes: "queued" },
      { atS: 15, post: "A", becomes: "replaced", send: "AB" },
    ],
  },
  {
    name: "carries on through several bodies, with the newest state of each member",
    steps: [
      { atS: 0, post: "ABC", send: "ABC" },
      { atS: 10, post: "aBC", becomes: "queued" },
      { atS: 20, post: "bC", becomes: "replaced" },
      { atS: 30, post: "C", becomes: "replaced", send: "Cab" },
    ],
  },
];

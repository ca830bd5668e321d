import { Counter } from "prom-client";
import type { Registry } from "prom-client";

/** A counter of which each series remembers the episode that moved it last, as an exemplar. */
export interface EpisodeCounter<Label extends string> {
  /** Counts one. */
  count(labels: Readonly<Record<Label, string>>, episodeId: string): void;
  /** Shows a series at 0 if it is not there yet. */
  start(labels: Readonly<Record<Label, string>>): void;
  remove(labels: Readonly<Record<Label, string>>): void;
}

/** Name of the exemplar's label; an id has 64 characters, and OpenMetrics allows 128 with the name. */
const EPISODE = "episode_id";

/** Registers one. Exemplars are seen in OpenMetrics alone. */
export function createEpisodeCounter<Label extends string>(
  register: Registry,
  about: {
    readonly name: string;
    readonly help: string;
    readonly labelNames: readonly Label[];
  },
): EpisodeCounter<Label> {
  const counter = new Counter<string>({
    ...{ name: about.name, help: about.help, labelNames: about.labelNames },
    enableExemplars: true,
    // prom-client's constructor refuses exemplars in a plain registry, which would only leave them out.
    registers: [],
  });
  register.registerMetric(counter);
  return {
    count(labels, episodeId) {
      counter.inc({ labels, exemplarLabels: { [EPISODE]: episodeId } });
    },
    start(labels) {
      counter.inc({ labels, value: 0 });
    },
    remove(labels) {
      counter.remove(labels);
    },
  };
}

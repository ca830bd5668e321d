import type { VNode } from "preact";
import type { AlertDelivery, EpisodeDetail } from "../../enrich/reading-ports.ts";
import { When } from "../frame/parts.tsx";
import { shown } from "../frame/text.ts";
import { OUTCOME_WORDS } from "./episode-words.ts";

interface Moment {
  readonly ms: number;
  readonly text: string;
}

/** What happened to an episode, in the order of time. */
export function Timeline(props: {
  episode: EpisodeDetail;
  deliveries: readonly AlertDelivery[];
}): VNode {
  const moments = [...momentsOf(props.episode), ...props.deliveries.map(momentOfDelivery)];
  moments.sort((one, other) => one.ms - other.ms);
  return (
    <ol class="timeline">
      {moments.map(({ ms, text }, index) => (
        <li key={index}>
          {text}
          <br />
          <When ms={ms} />
        </li>
      ))}
    </ol>
  );
}

function momentsOf(episode: EpisodeDetail): readonly Moment[] {
  const { startsMs, endsMs, openedMs, seenMs, enrichedMs, status } = episode;
  const moments = [
    { ms: startsMs, text: "The alert began to fire" },
    { ms: openedMs, text: "First notification came in" },
  ];
  if (enrichedMs !== undefined) {
    moments.push({ ms: enrichedMs, text: OUTCOME_WORDS[episode.outcome ?? "pending"].title });
  }
  if (seenMs > openedMs) moments.push({ ms: seenMs, text: "Last notification came in" });
  if (endsMs !== undefined) {
    const text = status === "stale" ? "Not seen any more; closed" : "Resolved";
    moments.push({ ms: endsMs, text });
  }
  return moments;
}

function momentOfDelivery({ destination, state, isFiring, atMs }: AlertDelivery): Moment {
  const what = isFiring ? "firing" : "resolved";
  const name = shown(destination);
  if (state === "told") return { ms: atMs, text: `${name} was told that it is ${what}` };
  const end = state === "dead" ? "was given up" : "waits";
  return { ms: atMs, text: `A delivery to ${name} was made; it ${end}` };
}

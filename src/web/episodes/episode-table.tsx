import type { VNode } from "preact";
import type { EpisodeSummary } from "../../enrich/reading-ports.ts";
import { DecisionBadge, StatusBadge } from "../frame/badges.tsx";
import { Link, When } from "../frame/parts.tsx";
import { cut, shown } from "../frame/text.ts";
import { OUTCOME_WORDS, nameOf, placeOf } from "./episode-words.ts";

/** Episodes as a list: on a phone each is a card, for a table would not fit. */
export function EpisodeTable(props: { label: string; episodes: readonly EpisodeSummary[] }): VNode {
  return (
    <ul class="rows" aria-label={props.label}>
      {props.episodes.map((episode) => (
        <Row key={episode.id} episode={episode} />
      ))}
    </ul>
  );
}

function Row({ episode }: { episode: EpisodeSummary }): VNode {
  const { id, labels, status, openedMs, errorClass, decision, outcome } = episode;
  const place = placeOf(labels);
  return (
    <li>
      <div class="row-main">
        <Link to={`episodes/${id}`} class="row-title">
          {shown(cut(nameOf(labels), 120))}
        </Link>
        {place === "" ? null : <div class="soft small">{shown(cut(place, 200))}</div>}
      </div>
      <div class="row-class">
        {errorClass === undefined ? (
          <span class="soft">{OUTCOME_WORDS[outcome ?? "pending"].title}</span>
        ) : (
          <Link to={`episodes?${new URLSearchParams({ class: errorClass }).toString()}`}>
            {shown(cut(errorClass, 80))}
          </Link>
        )}
      </div>
      <div class="row-badges">
        <StatusBadge status={status} />
        {decision === undefined ? null : <DecisionBadge decision={decision} />}
      </div>
      <div class="row-when">
        <When ms={openedMs} />
      </div>
    </li>
  );
}

import type { VNode } from "preact";
import type { EpisodePage } from "../../enrich/reading-ports.ts";
import { DECISIONS } from "../../record/recommendation.ts";
import { DECISION_WORDS } from "../frame/badges.tsx";
import { Faults, Empty, Link } from "../frame/parts.tsx";
import type { ParameterFault } from "../json/problem.ts";
import { EpisodeTable } from "./episode-table.tsx";
import { cursorText } from "./read-filter.ts";

/** A list of episodes with what it was asked for. */
export interface EpisodeList {
  /** As it was asked, to be asked again. */
  readonly query: URLSearchParams;
  readonly page: EpisodePage;
  readonly faults: readonly ParameterFault[];
}

/** Lists episodes, and lets them be filtered by label, class, decision and time. */
export function EpisodesPage({ list }: { list: EpisodeList }): VNode {
  const { query, page, faults } = list;
  return (
    <>
      <h1>Episodes</h1>
      <FilterForm query={query} />
      {faults.length > 0 ? (
        <Faults title="The filter was not understood:" faults={faults} />
      ) : (
        <Found query={query} page={page} />
      )}
    </>
  );
}

function Found({ query, page }: { query: URLSearchParams; page: EpisodePage }): VNode {
  const { episodes, next } = page;
  const isFiltered = [...query].some(([, value]) => value !== "");
  return (
    <>
      {episodes.length > 0 ? <EpisodeTable label="Episodes" episodes={episodes} /> : null}
      {episodes.length === 0 && next === undefined ? <NoEpisodes isFiltered={isFiltered} /> : null}
      {next === undefined ? null : (
        <p>
          {episodes.length === 0 ? "None among the latest that were looked at. " : ""}
          <Link to={`episodes?${withAfter(query, cursorText(next))}`}>Older episodes</Link>
        </p>
      )}
    </>
  );
}

function NoEpisodes({ isFiltered }: { isFiltered: boolean }): VNode {
  if (isFiltered) {
    return (
      <Empty title="No episode fits.">
        Take a longer time or fewer conditions. <Link to="episodes">Show all episodes.</Link>
      </Empty>
    );
  }
  return (
    <Empty title="There are no episodes yet.">
      An episode begins with the first firing alert. Point a receiver of Alertmanager at{" "}
      <code>/webhook</code>, then see <Link to="status">Status</Link> for what is configured.
    </Empty>
  );
}

function withAfter(query: URLSearchParams, after: string): string {
  const next = new URLSearchParams(query);
  next.set("after", after);
  return next.toString();
}

function FilterForm({ query }: { query: URLSearchParams }): VNode {
  const value = (name: string) => query.get(name) ?? "";
  return (
    <form class="filter" method="get" role="search" aria-label="Filter episodes">
      <label>
        Labels
        <input name="label" value={value("label")} placeholder='namespace="shop",pod!="a"' />
      </label>
      <label>
        Class
        <input name="class" value={value("class")} />
      </label>
      <Choice
        name="decision"
        label="Decision"
        value={value("decision")}
        options={DECISIONS.map((decision) => [decision, DECISION_WORDS[decision].name] as const)}
      />
      <Choice
        name="status"
        label="State"
        value={value("status")}
        options={[
          ["open", "Firing"],
          ["resolved", "Resolved"],
          ["stale", "Not seen any more"],
        ]}
      />
      <Choice
        name="since"
        label="Time"
        value={value("since")}
        options={[
          ["1h", "Last hour"],
          ["24h", "Last day"],
          ["7d", "Last week"],
        ]}
      />
      <button type="submit">Filter</button>
    </form>
  );
}

function Choice(props: {
  name: string;
  label: string;
  value: string;
  options: readonly (readonly [value: string, name: string])[];
}): VNode {
  return (
    <label>
      {props.label}
      <select name={props.name}>
        <option value="">any</option>
        {props.options.map(([value, name]) => (
          <option key={value} value={value} selected={value === props.value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

import type { VNode } from "preact";
import { classOf } from "../../record/known-error.ts";
import type { CatalogueRecord } from "../../record/known-error.ts";
import { Faults, Code, Empty, Link } from "../frame/parts.tsx";
import { counted, cut, grouped, shown } from "../frame/text.ts";
import type { ParameterFault } from "../json/problem.ts";
import type { RecordPage } from "./find-records.ts";
import { FACETS } from "./record-index.ts";
import type { Facet } from "./record-index.ts";
import { ORIGIN_WORDS, SeverityBadge } from "./record-words.tsx";

/** A list of records with what it was asked for. */
export interface RecordList {
  /** As it was asked, to be asked again. */
  readonly query: URLSearchParams;
  /** `undefined` when the query was not understood. */
  readonly page: RecordPage | undefined;
  readonly faults: readonly ParameterFault[];
}

/** Searches records, and lets them be narrowed by repository, class, severity, type and origin. */
export function RecordsPage({ list }: { list: RecordList }): VNode {
  const { query, page, faults } = list;
  return (
    <>
      <h1>Records</h1>
      <SearchForm query={query} />
      {page === undefined ? (
        <Faults title="The search was not understood:" faults={faults} />
      ) : (
        <Found query={query} page={page} />
      )}
    </>
  );
}

function SearchForm({ query }: { query: URLSearchParams }): VNode {
  return (
    <form class="search" method="get" role="search" aria-label="Search records">
      <label>
        Words of message, class, code, repository or file
        <input name="q" type="search" maxLength={512} value={query.get("q") ?? ""} />
      </label>
      {FACETS.map((facet) => {
        const value = query.get(facet) ?? "";
        return value === "" ? null : <input key={facet} type="hidden" name={facet} value={value} />;
      })}
      <button type="submit">Search</button>
    </form>
  );
}

const FACET_WORDS: Readonly<Record<Facet, string>> = {
  repo: "Repository",
  class: "Class",
  severity: "Severity",
  type: "Type",
  origin: "Origin",
};

function Found({ query, page }: { query: URLSearchParams; page: RecordPage }): VNode {
  const { entries, total, offset, next } = page;
  return (
    <>
      <Chosen query={query} />
      <p role="status">
        {counted(total, "record")}
        {total > entries.length && entries.length > 0
          ? `, ${grouped(offset + 1)} to ${grouped(offset + entries.length)} shown`
          : ""}
      </p>
      <div class="facets">
        {FACETS.map((facet) => (
          <FacetView key={facet} facet={facet} query={query} page={page} />
        ))}
      </div>
      {entries.length === 0 ? <NoRecords query={query} /> : null}
      {entries.length === 0 ? null : (
        <ul class="rows" aria-label="Records">
          {entries.map((entry) => (
            <Row key={entry.record.id} entry={entry} />
          ))}
        </ul>
      )}
      {next === undefined ? null : (
        <p>
          <Link to={`records?${withValue(query, "offset", String(next))}`}>More records</Link>
        </p>
      )}
    </>
  );
}

/** The facets that narrow the list, each with a way to take it back. */
function Chosen({ query }: { query: URLSearchParams }): VNode | null {
  const chosen = FACETS.filter((facet) => (query.get(facet) ?? "") !== "");
  if (chosen.length === 0) return null;
  return (
    <ul class="chosen" aria-label="Narrowed by">
      {chosen.map((facet) => (
        <li key={facet}>
          <span class="soft">{FACET_WORDS[facet]}</span> {shown(cut(query.get(facet) ?? "", 80))}{" "}
          <Link to={`records?${withValue(query, facet, undefined)}`}>
            remove<span class="hidden">{` ${FACET_WORDS[facet]}`}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function FacetView(props: {
  facet: Facet;
  query: URLSearchParams;
  page: RecordPage;
}): VNode | null {
  const { facet, query, page } = props;
  const counts = page.facets[facet];
  if (counts.length < 2) return null;
  return (
    <details>
      <summary>{FACET_WORDS[facet]}</summary>
      <ul class="plain">
        {counts.map(({ value, count }) => (
          <li key={value}>
            <Link
              to={`records?${withValue(query, facet, value)}`}
              current={query.get(facet) === value}
            >
              {shown(cut(value, 80))}
            </Link>{" "}
            <span class="soft number">{grouped(count)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Row({ entry }: { entry: CatalogueRecord }): VNode {
  const { record, origin } = entry;
  return (
    <li>
      <div class="row-main">
        <Link to={`records/${record.id}`} class="row-title">
          <Code text={cut(record.errorMessage, 200)} />
        </Link>
        <div class="soft small">
          {shown(cut(record.repo, 100))} · {shown(cut(record.filePath, 100))}
        </div>
      </div>
      <div class="row-class">{shown(cut(classOf(record), 80))}</div>
      <div class="row-badges">
        <SeverityBadge severity={record.severity} />
      </div>
      <div class="row-when soft">{ORIGIN_WORDS[origin]}</div>
    </li>
  );
}

function NoRecords({ query }: { query: URLSearchParams }): VNode {
  const text = query.get("q") ?? "";
  if ([...query].every(([, value]) => value === "")) {
    return (
      <Empty title="No records are loaded.">
        Set <code>records.starter</code> or name files, folders or a dataset in{" "}
        <code>records.sources</code>.
      </Empty>
    );
  }
  return (
    <Empty title="No record holds all of these words.">
      Take fewer words or facets. For a line of a log,{" "}
      <Link to={text === "" ? "explain" : `explain?${withLine(text)}`}>
        ask what it is recognised as
      </Link>{" "}
      instead. <Link to="records">Show all records.</Link>
    </Empty>
  );
}

function withLine(line: string): string {
  return new URLSearchParams({ line }).toString();
}

/** The query with another value of a parameter, from its first page on. */
function withValue(query: URLSearchParams, name: string, value: string | undefined): string {
  const next = new URLSearchParams([...query].filter(([, held]) => held !== ""));
  next.delete("offset");
  if (value === undefined) next.delete(name);
  else next.set(name, value);
  return next.toString();
}

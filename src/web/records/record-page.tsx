import type { VNode } from "preact";
import type { EpisodeSummary } from "../../enrich/reading-ports.ts";
import { classOf } from "../../record/known-error.ts";
import type { CatalogueRecord, KnownError } from "../../record/known-error.ts";
import type { TemplatePart } from "../../record/template.ts";
import { EpisodeTable } from "../episodes/episode-table.tsx";
import { Markdown } from "../frame/markdown.tsx";
import { Block, Code, Empty, Link, OutLink, When } from "../frame/parts.tsx";
import { cut, shown } from "../frame/text.ts";
import { ORIGIN_WORDS, SeverityBadge } from "./record-words.tsx";
import { SourceView } from "./source-view.tsx";

/** All that the page of a record shows. */
export interface RecordFacts {
  readonly entry: CatalogueRecord;
  readonly template: readonly TemplatePart[];
  /** Episodes whose best match it is, the latest first. */
  readonly seen: readonly EpisodeSummary[];
  /** Other records with the same message. */
  readonly alternatives: readonly CatalogueRecord[];
}

const STEPS_SHOWN = 20;

/** Shows one record: what it says in operation first, then where it is printed. */
export function RecordPage({ facts }: { facts: RecordFacts }): VNode {
  const { entry, template } = facts;
  const { record, origin } = entry;
  return (
    <>
      <h1>{shown(cut(classOf(record), 120))}</h1>
      <p class="subtitle">
        <SeverityBadge severity={record.severity} />{" "}
        <Link to={`records?${new URLSearchParams({ repo: record.repo }).toString()}`}>
          {shown(cut(record.repo, 120))}
        </Link>{" "}
        <span class="soft">· {ORIGIN_WORDS[origin]}</span>
      </p>
      <Block id="template" title="Message">
        <Template parts={template} />
        <p class="soft small">
          Marked: <mark class="capture">places where values are printed</mark>
        </p>
      </Block>
      <div class="columns">
        <div>
          <Block id="meaning" title="What it means">
            <Markdown text={record.documentation} />
          </Block>
          <Solutions record={record} />
          <Seen facts={facts} />
          <SourceView record={record} />
          <CodeAdvice record={record} />
        </div>
        <div>
          <Situations record={record} />
          <Facts entry={entry} />
          <Alternatives others={facts.alternatives} />
        </div>
      </div>
    </>
  );
}

function Template({ parts }: { parts: readonly TemplatePart[] }): VNode {
  return (
    <p class="template">
      <code>
        {parts.map((part, index) =>
          part.type === "literal" ? (
            shown(cut(part.text, 4000))
          ) : (
            <mark key={index} class="capture" title={part.kind === "any" ? undefined : part.kind}>
              {shown(cut(part.source, 200))}
            </mark>
          ),
        )}
      </code>
    </p>
  );
}

function Solutions({ record: { solutions } }: { record: KnownError }): VNode {
  return (
    <Block id="solutions" title="What to do">
      {solutions.length === 0 ? (
        <Empty title="The record names no solution.">
          An overlay in <code>records.overlays</code> can add steps of your own.
        </Empty>
      ) : (
        <ol class="steps">
          {solutions.slice(0, STEPS_SHOWN).map((solution, index) => (
            <li key={index}>
              <Markdown text={cut(solution, 2000)} />
            </li>
          ))}
        </ol>
      )}
    </Block>
  );
}

function Seen({ facts: { entry, seen } }: { facts: RecordFacts }): VNode {
  const { id } = entry.record;
  const all = <Link to={`episodes?record=${id}`}>All episodes</Link>;
  return (
    <Block id="seen" title="Seen lately" aside={seen.length > 0 ? all : null}>
      {seen.length === 0 ? (
        <Empty title="No episode shows it.">
          <Link to={`explain?record=${id}`}>Paste lines</Link> to see whether it is found in them,
          and why not.
        </Empty>
      ) : (
        <EpisodeTable label="Episodes that show it" episodes={seen} />
      )}
    </Block>
  );
}

function Situations({ record }: { record: KnownError }): VNode {
  const { triggerScenarios, commonSituations, preventionTips } = record;
  return (
    <>
      <Block id="triggers" title="Printed when">
        <Markdown text={triggerScenarios} />
      </Block>
      <Block id="situations" title="Common situations">
        <Markdown text={commonSituations} />
      </Block>
      {preventionTips.length === 0 ? null : (
        <Block id="prevention" title="Prevention">
          <ul>
            {preventionTips.slice(0, STEPS_SHOWN).map((tip, index) => (
              <li key={index}>
                <Markdown text={cut(tip, 1000)} />
              </li>
            ))}
          </ul>
        </Block>
      )}
    </>
  );
}

function Facts({ entry }: { entry: CatalogueRecord }): VNode {
  const { record, overlays, overrides, runbookUrl } = entry;
  const facts: readonly (readonly [name: string, value: string | null])[] = [
    ["Code", record.errorCode],
    ["Type", record.errorType],
    ["Family", record.backgroundTag],
    ["HTTP status", record.httpStatus === null ? null : String(record.httpStatus)],
    ["Advice for code", record.handlingStrategy],
    ["Tags", record.tags.length === 0 ? null : record.tags.slice(0, 20).join(", ")],
    ["Chosen", overrides.length === 0 ? null : overrides.join(", ")],
    ["Changed by", overlays.length === 0 ? null : overlays.join(", ")],
  ];
  return (
    <Block id="facts" title="Facts" aside={<Link to={`api/v1/records/${record.id}`}>JSON</Link>}>
      <dl class="facts">
        <dt>Id</dt>
        <dd>
          <Code text={record.id} />
        </dd>
        {facts.flatMap(([name, value]) =>
          value === null
            ? []
            : [<dt key={name}>{name}</dt>, <dd key={`${name} value`}>{shown(cut(value, 300))}</dd>],
        )}
        {runbookUrl === null ? null : (
          <>
            <dt>Runbook</dt>
            <dd>
              <OutLink href={runbookUrl}>{shown(cut(runbookUrl, 200))}</OutLink>
            </dd>
          </>
        )}
        <dt>Analyzed</dt>
        <dd>
          <When ms={Date.parse(record.analyzedAt)} />
        </dd>
      </dl>
    </Block>
  );
}

function CodeAdvice({ record }: { record: KnownError }): VNode | null {
  const texts = [
    ["Example of a fix", record.exampleFix],
    ["Catching it", record.tryCatchPattern],
    ["Checking before", record.validationCode],
    ["Guarding the type", record.typeGuard],
  ].filter(([, text]) => text !== null && text !== "");
  if (texts.length === 0) return null;
  return (
    <Block id="code" title="For developers">
      {texts.map(([name = "", text]) => (
        <details key={name}>
          <summary>{name}</summary>
          <pre>
            <Code text={cut(text ?? "", 4000)} />
          </pre>
        </details>
      ))}
    </Block>
  );
}

function Alternatives({ others }: { others: readonly CatalogueRecord[] }): VNode | null {
  if (others.length === 0) return null;
  return (
    <Block id="alternatives" title="Same message elsewhere">
      <p class="small">Only what stands around the message in a line tells them apart.</p>
      <ul class="plain">
        {others.map(({ record }) => (
          <li key={record.id}>
            <Link to={`records/${record.id}`}>{shown(cut(record.repo, 120))}</Link>{" "}
            <span class="soft small">{shown(cut(record.filePath, 200))}</span>
          </li>
        ))}
      </ul>
    </Block>
  );
}

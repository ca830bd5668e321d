import type { VNode } from "preact";
import type { CatalogueRecord } from "../../record/known-error.ts";
import { AdviceView, ChainView, EvidenceView } from "../episodes/advice-view.tsx";
import { ExcerptView } from "../episodes/excerpt-view.tsx";
import { Faults, Block, Code, Empty, Link } from "../frame/parts.tsx";
import { cut, shown } from "../frame/text.ts";
import type { ParameterFault } from "../json/problem.ts";
import type { ExplainedLines } from "./explain-parts.ts";

/** What was asked for, and what came of it. */
export interface ExplainFacts {
  /** Id of the record that was asked for; empty for none. */
  readonly record: string;
  readonly faults: readonly ParameterFault[];
  /** `undefined` when nothing was asked yet, or it was not understood. */
  readonly explained: ExplainedLines | undefined;
  /** Why the record is found in the lines or not. */
  readonly why: readonly string[];
  /** Records with words of the lines, where nothing was recognised. */
  readonly alike: readonly CatalogueRecord[];
}

/** Takes lines and shows what is recognised in them and why, or why not. */
export function ExplainPage({ facts }: { facts: ExplainFacts }): VNode {
  const { faults, explained } = facts;
  return (
    <>
      <h1>Explain</h1>
      {explained === undefined ? <Form facts={facts} /> : null}
      {faults.length === 0 ? null : (
        <Faults title="The lines were not looked at:" faults={faults} />
      )}
      {explained === undefined ? null : (
        <>
          <Result facts={facts} explained={explained} />
          <Form facts={facts} />
        </>
      )}
    </>
  );
}

/** So much of a text is given back, so that a page stays small. */
const GIVEN_BACK_MAX = 16_384;

function Form({ facts: { explained, record } }: { facts: ExplainFacts }): VNode {
  // Never what was pasted itself: a page shows no line that was not redacted.
  const text = explained?.text ?? "";
  const isCut = text.length > GIVEN_BACK_MAX;
  return (
    <form class="explain" method="post" aria-label="Explain lines">
      <label>
        Lines of a log
        <textarea
          name="line"
          rows={8}
          spellcheck={false}
          autocomplete="off"
          defaultValue={isCut ? "" : shown(text)}
        />
      </label>
      <label>
        Why is this record found or not? (id, may be empty)
        <input name="record" value={shown(cut(record, 64))} autocomplete="off" />
      </label>
      <p class="soft small">
        {isCut ? "The text was too long to be given back; paste it anew to change it. " : ""}
        Up to 65,536 characters. They are masked and matched as an alert's lines are; nothing of
        them is kept.
      </p>
      <button type="submit">Explain</button>
    </form>
  );
}

function Result(props: { facts: ExplainFacts; explained: ExplainedLines }): VNode {
  const { facts, explained } = props;
  const { matches, recommendation, excerpt } = explained;
  const best = matches[0];
  return (
    <>
      <Why facts={facts} />
      {best === undefined ? (
        <NothingFound facts={facts} />
      ) : (
        <Block id="found" title={matches.length === 1 ? "Recognised" : "Recognised, cause first"}>
          <p>
            <Link to={`records/${best.recordId}`} class="row-title">
              <Code text={cut(best.errorMessage, 400)} />
            </Link>
            <br />
            <span class="soft small">{shown(cut(`${best.repo} · ${best.filePath}`, 240))}</span>
          </p>
          <EvidenceView match={best} />
          {matches.length === 1 ? null : (
            <>
              <h3>Chain of causes</h3>
              <ChainView matches={matches.slice(0, MATCHES_SHOWN)} />
            </>
          )}
        </Block>
      )}
      <Block id="lines" title="Lines">
        <ExcerptView excerpt={excerpt} matches={matches} origin="the form" />
      </Block>
      {best === undefined ? null : (
        <Block id="advice" title="What to do">
          <p class="soft small">As for an alert that fires now, without its history.</p>
          <AdviceView advice={recommendation} />
        </Block>
      )}
    </>
  );
}

const MATCHES_SHOWN = 20;

function Why({ facts: { why, record } }: { facts: ExplainFacts }): VNode | null {
  if (why.length === 0) return null;
  return (
    <Block id="why" title="Why, or why not">
      <p class="small">
        Record{" "}
        <Link to={`records/${encodeURIComponent(record)}`}>
          <Code text={record} />
        </Link>
      </p>
      <ul>
        {why.slice(0, 40).map((sentence, index) => (
          <li key={index}>{shown(cut(sentence, 1000))}</li>
        ))}
      </ul>
    </Block>
  );
}

function NothingFound({ facts: { alike } }: { facts: ExplainFacts }): VNode {
  return (
    <Block id="found" title="Recognised">
      <Empty title="No known error is recognised in these lines.">
        {alike.length === 0
          ? "No record has words like these either. "
          : "The records below have words like these; copy an id into the form to see why it is not found. "}
        <Link to="unmatched">Unmatched texts</Link> of alerts can be made into records.
      </Empty>
      {alike.length === 0 ? null : (
        <ul class="plain">
          {alike.map(({ record }) => (
            <li key={record.id}>
              <Link to={`records/${record.id}`}>
                <Code text={cut(record.errorMessage, 240)} />
              </Link>
              <div class="soft small">
                {shown(cut(record.repo, 100))} · <Code text={record.id} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </Block>
  );
}

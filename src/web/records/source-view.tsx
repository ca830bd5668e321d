import type { VNode } from "preact";
import type { KnownError } from "../../record/known-error.ts";
import { Block, Code, OutLink } from "../frame/parts.tsx";
import { cut, shown } from "../frame/text.ts";

const LINES_SHOWN = 40;
const LINE_CHARACTERS = 400;

/** The source that prints the message, with its line numbers and a link that stays with the commit. */
export function SourceView({ record }: { record: KnownError }): VNode {
  const { sourceCode, sourceCodeStart, lineNumber, githubUrl, filePath, analyzedSha } = record;
  const place = lineNumber === null ? filePath : `${filePath}:${lineNumber}`;
  const lines = sourceCode === null ? [] : sourceCode.split("\n").slice(0, LINES_SHOWN);
  const aside = <OutLink href={githubUrl}>{`At commit ${analyzedSha.slice(0, 7)}`}</OutLink>;
  return (
    <Block id="source" title="Source" aside={aside}>
      <p class="small">
        <Code text={cut(place, 300)} />
      </p>
      {lines.length === 0 ? null : (
        <ol class="log" aria-label="Source lines">
          {lines.map((line, index) => {
            const number = sourceCodeStart === null ? undefined : sourceCodeStart + index;
            return (
              <li key={index} class={number === lineNumber ? "hit" : undefined}>
                {number === undefined ? null : <span class="line-number soft">{number}</span>}
                <code>{shown(cut(line, LINE_CHARACTERS))}</code>
              </li>
            );
          })}
        </ol>
      )}
    </Block>
  );
}

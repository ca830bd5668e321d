import { createReadStream } from "node:fs";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { Command, InvalidArgumentError, Option } from "commander";
import { escapeUnsafe } from "../app/logfmt.ts";
import { createMatcher } from "../app/match.ts";
import type { Matcher } from "../app/match.ts";
import { configFileFlag, configSourcesOf, recordsFlag, reportFaults } from "./common-flags.ts";
import type { FlagValues } from "./common-flags.ts";
import { renderAnswer } from "./render-answer.ts";

/** `alertlore match`: explains excerpts without an alert. */
export function createMatchCommand(): Command {
  return new Command("match")
    .description("recognise known errors in log lines")
    .argument("[file]", "one excerpt; - or nothing reads standard input")
    .addOption(recordsFlag)
    .option(
      "--cases <file>",
      'JSON Lines of {"id","excerpt":[…],"labels":{…}}, answered line by line; - reads standard input',
    )
    .option(
      "--threshold <score>",
      "lowest score that is reported, 0 to 1 (default: 0.5)",
      readScore,
    )
    .option("--why <record>", "explain in words why this record is found or not")
    .addOption(
      new Option("--format <format>", "of the answer to one excerpt")
        .choices(["text", "json"])
        .default("text"),
    )
    .addOption(configFileFlag)
    .action(match);
}

function readScore(value: string): string {
  const score = Number(value);
  if (value.trim() === "" || !(score >= 0 && score <= 1)) {
    throw new InvalidArgumentError("It must be a number from 0 to 1.");
  }
  return value;
}

async function match(file: string | undefined, values: FlagValues): Promise<void> {
  const { cases, records, format, why } = values;
  if (typeof cases === "string" && file !== undefined) {
    console.error("give either --cases or a file with one excerpt");
    process.exitCode = 1;
    return;
  }
  const { matcher, faults } = await createMatcher({
    sources: configSourcesOf(values, { threshold: "match.threshold" }),
    recordPaths: isTexts(records) ? records : undefined,
  });
  if (matcher === undefined) {
    reportFaults(faults);
    return;
  }
  for (const sentence of matcher.skipped) console.error(`skipped: ${sentence}`);
  try {
    if (typeof cases === "string") await answerCases(cases, caseAnswerer(matcher, why));
    else await answerOne(matcher, file ?? "-", { why, format });
  } catch (error) {
    if (!isSystemError(error)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

async function answerOne(
  matcher: Matcher,
  file: string,
  { why, format }: FlagValues,
): Promise<void> {
  if (typeof why === "string") await explainExcerpt(matcher, file, why);
  else await answerExcerpt(matcher, file, format === "json");
}

type Answer = (line: string) => object;

function caseAnswerer(matcher: Matcher, why: unknown): Answer {
  if (typeof why !== "string") return (line) => matcher.answerLine(line);
  return (line) => matcher.whyLine(line, why);
}

async function explainExcerpt(matcher: Matcher, file: string, recordId: string): Promise<void> {
  const sentences = matcher.whyText(await text(openText(file)), recordId);
  process.stdout.write(`${sentences.map(escapeUnsafe).join("\n")}\n`);
}

async function answerCases(file: string, answerLine: Answer): Promise<void> {
  const lines = createInterface({ input: openText(file), crlfDelay: Infinity });
  for await (const line of lines) {
    if (line.trim() === "") continue;
    const answer = answerLine(line);
    if ("error" in answer) process.exitCode = 1;
    const fits = process.stdout.write(`${JSON.stringify(answer)}\n`);
    if (!fits) await once(process.stdout, "drain");
  }
}

async function answerExcerpt(matcher: Matcher, file: string, asJson: boolean): Promise<void> {
  const answer = matcher.answerText(await text(openText(file)));
  process.stdout.write(asJson ? `${JSON.stringify(answer, undefined, 2)}\n` : renderAnswer(answer));
}

function openText(file: string): NodeJS.ReadableStream & AsyncIterable<Buffer> {
  return file === "-" ? process.stdin : createReadStream(file);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((member) => typeof member === "string");
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}

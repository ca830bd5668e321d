import { Command, Option } from "commander";
import { openDeliveries } from "../app/open-deliveries.ts";
import type { DeadLetter, DeadLetters } from "../app/open-deliveries.ts";
import { configFileFlag, configSourcesOf, reportFaults } from "./common-flags.ts";
import type { FlagValues } from "./common-flags.ts";
import { limitFlag, limitOf, printAnswer } from "./records/records-flags.ts";

/** `alertlore deliveries`: what could not be delivered, and sending it again. */
export function createDeliveriesCommand(): Command {
  const deliveries = new Command("deliveries").description(
    "list notifications that could not be delivered, send them again",
  );
  const list = createSubcommand("list", "list dead letters, the latest first")
    .addOption(limitFlag)
    .action((values: FlagValues) => withLetters(values, (letters) => printList(letters, values)));
  const resend = createSubcommand("resend", "send dead letters again")
    .argument("<ids...>", "as `deliveries list` shows them, or `all`")
    .action((ids: readonly string[], values: FlagValues) =>
      withLetters(values, (letters) => resendAll(letters, ids, values)),
    );
  for (const command of [list, resend]) {
    deliveries.addCommand(command.helpOption("--help", "print help").showHelpAfterError());
  }
  return deliveries;
}

function createSubcommand(name: string, description: string): Command {
  const format = new Option("--format <format>", "of the answer").choices(["text", "json"]);
  return new Command(name)
    .description(description)
    .addOption(format.default("text"))
    .addOption(configFileFlag);
}

async function withLetters(
  values: FlagValues,
  work: (letters: DeadLetters) => Promise<void>,
): Promise<void> {
  try {
    const { letters, faults } = await openDeliveries(configSourcesOf(values, {}));
    if (letters === undefined) {
      reportFaults(faults);
      return;
    }
    try {
      await work(letters);
    } finally {
      await letters.close();
    }
  } catch (error) {
    console.error(`no answer: ${error instanceof Error ? error.message : "unknown"}`);
    process.exitCode = 1;
  }
}

async function printList(letters: DeadLetters, values: FlagValues): Promise<void> {
  const deliveries = await letters.list(limitOf(values));
  printAnswer(values, { deliveries }, (answer) =>
    answer.deliveries.length === 0 ? ["no dead letters"] : answer.deliveries.map(renderLetter),
  );
}

function renderLetter(letter: DeadLetter): string {
  const { id, destination, receiver, groupKey, reason, attempts, createdMs } = letter;
  const at = new Date(createdMs).toISOString();
  const tries = `${attempts} ${attempts === 1 ? "try" : "tries"}`;
  return `${id}  ${at}  ${destination}  ${receiver}  ${groupKey}  ${tries}: ${reason}`;
}

/** As many as the service lists. */
const ALL_MAX = 500;

async function resendAll(
  letters: DeadLetters,
  ids: readonly string[],
  values: FlagValues,
): Promise<void> {
  const wanted = ids.includes("all") ? (await letters.list(ALL_MAX)).map(({ id }) => id) : ids;
  const results: { readonly id: string; readonly resent: boolean }[] = [];
  for (const id of wanted) results.push({ id, resent: await letters.resend(id) });
  if (results.some(({ resent }) => !resent)) process.exitCode = 1;
  printAnswer(values, { results }, (answer) =>
    answer.results.map(({ id, resent }) =>
      resent ? `${id}  is due again` : `${id}  not sent: no such dead letter, or a newer one waits`,
    ),
  );
}

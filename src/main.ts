#!/usr/bin/env node
import { Command } from "commander";
import { readVersion } from "./app/installation.ts";
import { createCheckCommand } from "./cli/check.ts";
import { createDeliveriesCommand } from "./cli/deliveries.ts";
import { createMatchCommand } from "./cli/match.ts";
import { createRecordsCommand } from "./cli/records.ts";
import { createServeCommand } from "./cli/serve.ts";

const program = new Command("alertlore")
  .description("Turns an alert into an explanation.")
  .version(`alertlore ${readVersion()}`, "--version", "print the version")
  .helpOption("--help", "print help")
  .showHelpAfterError("(--help names every flag)")
  .configureHelp({ showGlobalOptions: false });

for (const command of [
  createServeCommand(),
  createMatchCommand(),
  createRecordsCommand(),
  createDeliveriesCommand(),
  createCheckCommand(),
]) {
  program.addCommand(command.helpOption("--help", "print help").showHelpAfterError());
}

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // A reader that has seen enough, such as `head`, is no failure.
  if (error.code === "EPIPE") process.exit();
  throw error;
});

await program.parseAsync();

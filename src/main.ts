import { parseArgs } from "node:util";
import { type Command, UsageError, type Values } from "./cli/command.ts";
import { explain } from "./cli/explain.ts";
import { feedsAdd, feedsDiscover, feedsList, feedsRemove, feedsSet, feedsShow, feedsTry } from "./cli/feeds.ts";
import { subscribersImport } from "./cli/import.ts";
import { migrateOnly } from "./cli/migrate.ts";
import { runsList, runsStop, siteAdd, siteRemove, siteSet, tenantSet, topicsAdd } from "./cli/operate.ts";
import { onParentExit } from "./cli/parent-exit.ts";
import { passwordLink } from "./cli/password.ts";
import { provision } from "./cli/provision.ts";
import { siteSnippet, testDeviceLink } from "./cli/readers.ts";
import { api, start, worker } from "./cli/start.ts";
import { siteVapidExport, siteVapidImport } from "./cli/vapid.ts";
import { type Config, readConfig } from "./config.ts";
import { openApp } from "./open-app.ts";

const commands: Command[] = [
  start,
  api,
  worker,
  migrateOnly,
  provision,
  passwordLink,
  tenantSet,
  siteAdd,
  siteSet,
  siteRemove,
  siteSnippet,
  siteVapidExport,
  siteVapidImport,
  topicsAdd,
  testDeviceLink,
  subscribersImport,
  runsList,
  runsStop,
  feedsAdd,
  feedsSet,
  feedsList,
  feedsShow,
  feedsRemove,
  feedsTry,
  feedsDiscover,
];

/** How `command` is typed; without one, how every command is. */
function usageOf(command: Command | undefined): string {
  const typed = "Usage: npm run -s pressbell --";
  if (command !== undefined) return `${typed} ${command.usage}\n`;
  return `${typed} COMMAND\n\n${commands.map(({ usage }) => `  ${usage}`).join("\n")}\n`;
}

type Typed = { command: Command; values: Values; operands: string[] };

/** What was typed, checked against the command's options and operands. Throws UsageError. */
function readCommand(command: Command | undefined, words: string[]): Typed {
  if (command === undefined)
    throw new UsageError(words.length === 0 ? "a command is missing" : `no command ${words.join(" ")}`);
  const { options, required = [], operands = [] } = command;
  const args = words.slice(command.words.length);
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const missingOptions = required.filter((name) => values[name] === undefined).map((name) => `--${name}`);
  const missing = [...missingOptions, ...operands.slice(positionals.length)];
  if (missing.length > 0) throw new UsageError(`missing: ${missing.join(", ")}`);
  const extra = positionals.slice(operands.length);
  if (extra.length > 0) throw new UsageError(`too many arguments: ${extra.join(" ")}`);
  return { command, values: values as Values, operands: positionals };
}

/** Resolves at the first request to end. The second one ends at once: someone does not want to wait for the drain. */
function whenAsked(): Promise<void> {
  return new Promise((resolve) => {
    let times = 0;
    const ask = () => {
      if (++times > 1) process.exit(1);
      resolve();
    };
    process.on("SIGTERM", ask).on("SIGINT", ask).on("SIGHUP", ask);
    onParentExit(resolve);
  });
}

async function run({ command, values, operands }: Typed, config: Config): Promise<void> {
  const asked = whenAsked();
  const isService = command === start || command === api || command === worker;
  const { app, secretKey, close } = await openApp(config, {
    logTo: isService ? "stdout" : "stderr",
    mayMakeDatabase: command.makesDatabase === true,
  });
  try {
    await command.run(app, values, operands, { secretKey, asked });
  } finally {
    await close();
  }
}

const words = process.argv.slice(2);
const command = commands.find(({ words: name }) => name.every((word, i) => words[i] === word));
try {
  const typed = readCommand(command, words);
  const config = readConfig(process.env);
  await run(typed, config);
} catch (error) {
  const { text, exitCode } = explain(error, usageOf(command));
  process.stderr.write(text);
  // By force: delivery threads that were started already would keep a process without a database alive.
  process.exit(exitCode);
}

import { parseArgs } from "node:util";
import { type Command, UsageError, type Values } from "./cli/command.ts";
import { endWithParent } from "./cli/end-with-parent.ts";
import { explain } from "./cli/explain.ts";
import { feedsAdd, feedsDiscover, feedsList, feedsRemove, feedsSet, feedsShow, feedsTry } from "./cli/feeds.ts";
import { subscribersImport } from "./cli/import.ts";
import { migrateOnly } from "./cli/migrate.ts";
import { runsList, runsStop, siteAdd, siteRemove, siteSet, tenantSet, topicsAdd } from "./cli/operate.ts";
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

const usage = `Usage: npm run -s pressbell -- COMMAND\n\n${commands.map((command) => `  ${command.usage}`).join("\n")}\n`;

type Typed = { command: Command; values: Values; operands: string[] };

/** What was typed, checked against the command's options. Throws UsageError. */
function readCommand(words: string[]): Typed {
  const command = commands.find(({ words: name }) => name.every((word, i) => words[i] === word));
  if (command === undefined)
    throw new UsageError(words.length === 0 ? "a command is missing" : `no command ${words.join(" ")}`);
  const args = words.slice(command.words.length);
  const { values, positionals } = parseArgs({ args, options: command.options, allowPositionals: true });
  const missing = (command.required ?? []).filter((name) => values[name] === undefined);
  if (missing.length > 0) throw new UsageError(`missing: ${missing.map((name) => `--${name}`).join(", ")}`);
  if (positionals.length !== (command.operands ?? 0))
    throw new UsageError(`wrong number of arguments: ${positionals.join(" ")}`);
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
    endWithParent(resolve);
  });
}

async function run({ command, values, operands }: Typed, config: Config): Promise<void> {
  const asked = whenAsked();
  const isService = command === start || command === api || command === worker;
  const { app, secretKey, close } = await openApp(config, isService ? "stdout" : "stderr");
  try {
    await command.run(app, values, operands, { secretKey, asked });
  } finally {
    await close();
  }
}

try {
  const typed = readCommand(process.argv.slice(2));
  const config = readConfig(process.env);
  await run(typed, config);
} catch (error) {
  const { text, exitCode } = explain(error, usage);
  process.stderr.write(text);
  // By force: delivery threads that were started already would keep a process without a database alive.
  process.exit(exitCode);
}

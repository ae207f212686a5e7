import { parseArgs } from "node:util";
import { z } from "zod";
import { type Command, UsageError, type Values } from "./cli/command.ts";
import { endWithParent } from "./cli/end-with-parent.ts";
import { subscribersImport } from "./cli/import.ts";
import { migrateOnly } from "./cli/migrate.ts";
import { runsList, runsStop, siteAdd, siteSet, tenantSet, topicsAdd } from "./cli/operate.ts";
import { provision } from "./cli/provision.ts";
import { api, start, worker } from "./cli/start.ts";
import { type Config, ConfigError, readConfig } from "./config.ts";
import { AppError, type FieldFault } from "./errors.ts";
import { faultsOf } from "./input.ts";
import { openApp } from "./open-app.ts";

const commands: Command[] = [
  start,
  api,
  worker,
  migrateOnly,
  provision,
  tenantSet,
  siteAdd,
  siteSet,
  topicsAdd,
  subscribersImport,
  runsList,
  runsStop,
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

/** What went wrong, in lines for the person at the terminal, and the exit code. */
function explain(error: unknown): { text: string; exitCode: number } {
  if (error instanceof UsageError) return { text: `${error.message}\n\n${usage}`, exitCode: 2 };
  if (error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS")) {
    return { text: `${error.message}\n\n${usage}`, exitCode: 2 };
  }
  if (error instanceof ConfigError) return { text: `${error.message}\n`, exitCode: 1 };
  const faults = error instanceof z.ZodError ? faultsOf(error) : ((error as AppError).details?.errors as FieldFault[]);
  if (error instanceof AppError || error instanceof z.ZodError) {
    const lines = (faults ?? []).map((fault) => `  ${fault.path.slice(1)} ${fault.message}\n`).join("");
    return {
      text: `${error instanceof AppError ? error.message : "Correct this and try again:"}\n${lines}`,
      exitCode: 1,
    };
  }
  return { text: `${error instanceof Error ? error.stack : String(error)}\n`, exitCode: 1 };
}

try {
  const typed = readCommand(process.argv.slice(2));
  const config = readConfig(process.env);
  await run(typed, config);
} catch (error) {
  const { text, exitCode } = explain(error);
  process.stderr.write(text);
  process.exitCode = exitCode;
}

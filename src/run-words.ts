import { parseArgs } from "node:util";
import { type AloneCommand, type Command, UsageError, type Values } from "./cli/command.ts";
import { allCommands, findCommand } from "./cli/commands.ts";
import { type Explanation, explainError } from "./cli/explain-error.ts";
import { type Config, readConfig } from "./config.ts";
import { type OpenApp, type OpenOptions, openApp } from "./open-app.ts";

/** Returns the usage of `command`; without one, that of all commands. */
async function usageOf(command: Command | AloneCommand | undefined): Promise<string> {
  // The npm package holds JavaScript.
  const prefix = `Usage: ${import.meta.url.endsWith(".ts") ? "npm run -s pressbell --" : "npx pressbell"}`;
  if (command !== undefined) return `${prefix} ${command.usage}\n`;
  return `${prefix} COMMAND\n\n${(await allCommands()).map(({ usage }) => `  ${usage}`).join("\n")}\n`;
}

type CommandLine = { command: Command | AloneCommand; values: Values; operands: string[] };

/** Parses `words` by the options and operands of `command`. Throws UsageError. */
function readCommand(command: Command | AloneCommand | undefined, words: string[]): CommandLine {
  if (command === undefined)
    throw new UsageError(words.length === 0 ? "a command is missing" : `no command ${words.join(" ")}`);
  const { options, required = [], operands = [], optionalOperands = [] } = command;
  const args = words.slice(command.words.length);
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const missingOptions = required.filter((name) => values[name] === undefined).map((name) => `--${name}`);
  const missing = [...missingOptions, ...operands.slice(positionals.length)];
  if (missing.length > 0) throw new UsageError(`missing: ${missing.join(", ")}`);
  const extra = positionals.slice(operands.length + optionalOperands.length);
  if (extra.length > 0) throw new UsageError(`too many arguments: ${extra.join(" ")}`);
  return { command, values: values as Values, operands: positionals };
}

/**
 * The longest that a drain or a command may take after a signal. What a drain leaves behind ends by itself: leases run
 * out.
 */
const stopMaxMs = 25_000;

/**
 * Exits with 1 after this time, in ms, unless everything has ended before. Never cleared: it limits what follows a
 * drain too.
 */
function endWithin(ms: number): void {
  const force = () => {
    process.stderr.write(`Not ended within ${ms / 1_000} s of the signal: exiting.\n`);
    process.exit(1);
  };
  // `unref`: the timer does not keep the process running.
  setTimeout(force, ms).unref();
}

/** Opens the app. A stop that comes first ends the process: as asked (0), or without the result of a command (1). */
async function openUnlessStopped(config: Config, options: OpenOptions): Promise<OpenApp> {
  try {
    return await openApp(config, options);
  } catch (error) {
    if (!options.stop.aborted) throw error;
    process.exit(options.logTo === "stdout" ? 0 : 1);
  }
}

/** `waitForStop`: resolves when the command has to stop. It is called before a database is opened. */
export type Surroundings = { environment: NodeJS.ProcessEnv; waitForStop(): Promise<void> };

async function run(
  { command, values, operands }: CommandLine,
  { environment, waitForStop }: Surroundings,
): Promise<void> {
  if ("runAlone" in command) return command.runAlone(environment, values, operands);
  const config = readConfig(environment);
  const stopRequested = waitForStop();
  const stop = new AbortController();
  void stopRequested.then(() => {
    stop.abort();
    endWithin(stopMaxMs);
  });
  const opening = {
    logTo: command.isService ? "stdout" : "stderr",
    schema: typeof command.schema === "function" ? command.schema(values) : (command.schema ?? "use"),
    stop: stop.signal,
  } as const;
  const { app, secretKey, close } = await openUnlessStopped(config, opening);
  try {
    await command.run(app, values, operands, { secretKey, stopRequested });
  } finally {
    await close();
  }
}

/**
 * Runs the command that `words` name. Returns undefined when it has ended, or what to print on standard error and the
 * exit code when it has failed.
 */
export async function runWords(words: string[], surroundings: Surroundings): Promise<Explanation | undefined> {
  const command = await findCommand(words);
  try {
    await run(readCommand(command, words), surroundings);
    return undefined;
  } catch (error) {
    return explainError(error, await usageOf(command));
  }
}

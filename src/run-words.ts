import { parseArgs } from "node:util";
import { type AloneCommand, type Command, type Options, UsageError, type Values } from "./cli/command.ts";
import { findCommand } from "./cli/commands.ts";
import { type Explanation, explainError } from "./cli/explain-error.ts";
import { answerHelp, commandsLike, usageOf } from "./cli/help.ts";
import { type Config, readConfig } from "./config.ts";
import { type OpenApp, type OpenOptions, openApp } from "./open-app.ts";
import { withSettingsFile } from "./settings-file.ts";

type CommandLine = { command: Command | AloneCommand; values: Values; operands: string[] };

/** Parses `words` with the options and operands of `command`. Throws UsageError. */
function readCommand(command: Command | AloneCommand | undefined, words: string[]): CommandLine {
  if (command === undefined)
    throw new UsageError(words.length === 0 ? "a command is missing" : `no command ${words.join(" ")}`);
  const { options, required = [], operands = [], optionalOperands = [] } = command;
  const args = words.slice(command.words.length);
  const { values, positionals } = parseWords(args, options);
  const missingOptions = required.filter((name) => values[name] === undefined).map((name) => `--${name}`);
  const missing = [...missingOptions, ...operands.slice(positionals.length)];
  if (missing.length > 0) throw new UsageError(`missing: ${missing.join(", ")}`);
  const extra = positionals.slice(operands.length + optionalOperands.length);
  if (extra.length > 0) throw new UsageError(`too many arguments: ${extra.join(" ")}`);
  return { command, values: values as Values, operands: positionals };
}

/** Splits words into options and operands. Throws UsageError with a message of our own. */
function parseWords(args: string[], options: Options) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const option = /--?[\w-]+/.exec(message)?.[0] ?? "an option";
    if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") throw new UsageError(`there is no option ${option}`);
    if (code !== "ERR_PARSE_ARGS_INVALID_OPTION_VALUE") throw error;
    const isFlag = options[option.slice(2)]?.type === "boolean";
    throw new UsageError(
      isFlag
        ? `${option} takes no value`
        : `${option} needs a value; one that begins with a dash is written ${option}=-VALUE`,
    );
  }
}

/**
 * The longest time for a drain or a command after a signal. Work that a drain leaves behind is released when its
 * leases expire.
 */
const stopMaxMs = 25_000;

/**
 * Exits with 1 after this time, in ms, unless the process has ended before. The timer is never cleared, so it also
 * limits what follows a drain.
 */
function endWithin(ms: number): void {
  const force = () => {
    process.stderr.write(`Not ended within ${ms / 1_000} s of the signal: exiting.\n`);
    process.exit(1);
  };
  // `unref`: the timer does not keep the process running.
  setTimeout(force, ms).unref();
}

/** Opens the app. If a stop is requested first, exits: a service as requested (0), a command without its result (1). */
async function openUnlessStopped(config: Config, options: OpenOptions): Promise<OpenApp> {
  try {
    return await openApp(config, options);
  } catch (error) {
    if (!options.stop.aborted) throw error;
    process.exit(options.logTo === "stdout" ? 0 : 1);
  }
}

/** `waitForStop`: resolves when the command has to stop. It is called before a database is opened. */
export type Surroundings = { environment: Record<string, string | undefined>; waitForStop(): Promise<void> };

async function run(
  { command, values, operands }: CommandLine,
  { environment: given, waitForStop }: Surroundings,
): Promise<void> {
  if ("runAlone" in command && command.readsNoSettings) return command.runAlone(given, values, operands);
  const environment = withSettingsFile(given);
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
 * Runs the command that `words` name. Returns undefined when it has ended. If it has failed, returns the text for
 * standard error and the exit code.
 */
export async function runWords(words: string[], surroundings: Surroundings): Promise<Explanation | undefined> {
  const help = await answerHelp(words);
  if (help !== undefined) {
    process.stdout.write(help);
    return undefined;
  }
  const command = await findCommand(words);
  try {
    await run(readCommand(command, words), surroundings);
    return undefined;
  } catch (error) {
    return explainError(error, command === undefined ? await commandsLike(words) : usageOf(command));
  }
}

import { isDeepStrictEqual } from "node:util";
import type { App } from "../app.ts";
import type { SchemaRight } from "../db/schema.ts";
import { AppError, type FieldFault, invalidFields } from "../errors.ts";
import { fault, faults } from "../faults.ts";
import { escapeUnseen } from "../log-text.ts";

/** The options of a command, in the format of `parseArgs` of node:util. */
export type Options = Record<string, { type: "string" | "boolean" }>;
export type Values = Record<string, string | boolean | undefined>;

/** What a long-running command needs in addition to the app. */
export type CommandContext = {
  /** SECRET_KEY, for the delivery threads: each creates its own secret box. */
  secretKey: string;
  /** Resolves when the process is asked to stop: SIGTERM, SIGHUP, Ctrl-C, or the exit of its parent process. */
  stopRequested: Promise<void>;
};

/**
 * One command of `pressbell`. `words`: its name. `summary`: its line in the overview. `usage`: its own help.
 * `required`: the options that must be given. `operands`: the names of its positional arguments, followed by
 * `optionalOperands`. `schema`: what the command may do with the database's schema, by default "use". `isService`: the
 * command runs until it is stopped, and logs to standard output. `run` prints the result to standard output.
 */
export type Command = {
  words: string[];
  summary: string;
  usage: string;
  options: Options;
  required?: string[];
  operands?: string[];
  optionalOperands?: string[];
  schema?: SchemaRight | ((values: Values) => SchemaRight);
  isService?: true;
  run(app: App, values: Values, operands: string[], context: CommandContext): Promise<void>;
};

/**
 * A command that works even if settings are wrong or the database is unreachable. It opens what it needs itself.
 * `readsNoSettings`: it works even if the settings file cannot be read.
 */
export type AloneCommand = Omit<Command, "run" | "schema"> & {
  readsNoSettings?: true;
  runAlone(environment: Record<string, string | undefined>, values: Values, operands: string[]): Promise<void>;
};

/**
 * Prints lines for people. Escapes invisible characters, so that a text such as a feed's title cannot control the
 * operator's terminal.
 */
export function printText(...lines: string[]): void {
  process.stdout.write(`${lines.map(escapeUnseen).join("\n")}\n`);
}

function printJson(result: unknown): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

/** Prints a result as "name: value" lines, or with `--json` as one line of JSON. */
export function print(values: Values, result: Record<string, unknown>): void {
  const format = (value: unknown) => (typeof value === "object" && value !== null ? JSON.stringify(value) : value);
  if (values.json === true) printJson(result);
  else printText(...Object.entries(result).map(([name, value]) => `${name}: ${format(value)}`));
}

/** Prints one of several results: `name=value` pairs in one line after `indent`, or one line of JSON with `--json`. */
export function printLine(values: Values, line: Record<string, unknown>, indent = ""): void {
  if (values.json === true) printJson(line);
  else printText(`${indent}${fieldsOf(line)}`);
}

/** Returns `name=value` for each field, in one line. */
export function fieldsOf(line: Record<string, unknown>): string {
  const format = (value: unknown) => (value instanceof Date ? value.toISOString() : value);
  return Object.entries(line)
    .map(([name, value]) => `${name}=${format(value)}`)
    .join(" ");
}

/** Reads an option that is `on` or `off`; undefined if it was not given. Throws UsageError for any other value. */
export function readSwitch(values: Values, name: string): boolean | undefined {
  const value = values[name];
  if (value === undefined) return undefined;
  if (value !== "on" && value !== "off") throw new UsageError(`--${name} is on or off`);
  return value === "on";
}

/**
 * The option for a field, such as `"site-url"`. If one value on the command line sets all members of a field, it also
 * has the expected format of that value.
 */
type FieldOption = string | { option: string; format: string };

/**
 * Runs `work`, an operation that knows fields but no options. Its `validation_failed` errors then name the option of
 * each field. `options`: the option of each field, such as `{ url: "site-url" }`.
 */
export async function withOptionNames<T>(options: Record<string, FieldOption>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "validation_failed") throw error;
    const wrong = (error.details.errors as FieldFault[]).map((each) => nameOption(each, options));
    // If one value sets several members, all of them may be wrong. That is reported as one fault.
    throw invalidFields(wrong.filter((one, at) => wrong.findIndex((each) => isDeepStrictEqual(each, one)) === at));
  }
}

/**
 * Converts the path of a field to the path of an option. `/topics/0/topicId` becomes `/--topics/topicId`, without the
 * index, which nobody typed. An option name that ends with a dash is a prefix: with "utm-", `/utm/source` becomes
 * `/--utm-source`.
 */
function nameOption(given: FieldFault, options: Record<string, FieldOption>): FieldFault {
  const [, field = "", ...steps] = given.path.split("/");
  const option = options[field];
  if (option === undefined) return given;
  const rest = steps.filter((step) => !/^\d+$/.test(step));
  if (typeof option === "object") {
    return fault(`/--${option.option}`, rest.length === 0 ? given : faults.wrong_type({ type: option.format }));
  }
  const member = option.endsWith("-") ? (rest.shift() ?? "*").replaceAll(/[A-Z]/g, (c) => `-${c.toLowerCase()}`) : "";
  return { ...given, path: [`/--${option}${member}`, ...rest].join("/") };
}

/**
 * The error for a wrong command line. The exit code is 2, and the usage is printed: that of the command, or of all
 * commands if the line names none.
 */
export class UsageError extends Error {}

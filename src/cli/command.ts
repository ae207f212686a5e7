import type { App } from "../app.ts";
import { AppError, type FieldFault, invalidFields } from "../errors.ts";

/** Options of a command, as node:util parseArgs takes them. */
export type Options = Record<string, { type: "string" | "boolean" }>;
export type Values = Record<string, string | boolean | undefined>;

/** What a long-running command needs beside the app. */
export type Surroundings = {
  /** SECRET_KEY itself, for the delivery threads: each makes its own box. */
  secretKey: string;
  /** Resolves when the process is asked to end: SIGTERM, Ctrl-C, or the end of what started it. */
  asked: Promise<void>;
};

/**
 * One command of `pressbell`. `words` are what is typed; `usage` is its line in the usage; `required` options must be
 * given, `operands` is how many further arguments it takes. Prints its result to standard output and returns.
 */
export type Command = {
  words: string[];
  usage: string;
  options: Options;
  required?: string[];
  operands?: number;
  run(app: App, values: Values, operands: string[], surroundings: Surroundings): Promise<void>;
};

/** Prints a result for people, or as one line of JSON with `--json`. */
export function print(values: Values, result: Record<string, unknown>): void {
  const shown = (value: unknown) => (typeof value === "object" && value !== null ? JSON.stringify(value) : value);
  const lines = Object.entries(result).map(([name, value]) => `${name}: ${shown(value)}`);
  process.stdout.write(`${values.json === true ? JSON.stringify(result) : lines.join("\n")}\n`);
}

/** `on` or `off` of a switch option; undefined where it was not given. Throws UsageError for anything else. */
export function readSwitch(values: Values, name: string): boolean | undefined {
  const value = values[name];
  if (value === undefined) return undefined;
  if (value !== "on" && value !== "off") throw new UsageError(`--${name} is on or off`);
  return value === "on";
}

/**
 * Runs `work`, whose rules know nothing of options: a field that it refuses is told by the option that it came from.
 * `options`: the option of each field, `{ url: "site-url" }`.
 */
export async function forOption<T>(options: Record<string, string>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "validation_failed") throw error;
    throw invalidFields((error.details.errors as FieldFault[]).map((fault) => nameOption(fault, options)));
  }
}

/**
 * `/quietHours/from` becomes `/--quiet-hours/from`: the first step is the field. An option that ends with a dash stands
 * for several: with "utm-" `/utm/source` becomes `/--utm-source`.
 */
function nameOption({ path, message }: FieldFault, options: Record<string, string>): FieldFault {
  const [, field = "", ...within] = path.split("/");
  const option = options[field];
  if (option === undefined) return { path, message };
  const member = option.endsWith("-") ? (within.shift() ?? "*").replaceAll(/[A-Z]/g, (c) => `-${c.toLowerCase()}`) : "";
  return { path: [`/--${option}${member}`, ...within].join("/"), message };
}

/** A command that was typed wrong: the usage is printed and the exit code is 2. */
export class UsageError extends Error {}

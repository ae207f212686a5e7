import { isDeepStrictEqual } from "node:util";
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
 * given, `operands` are the further arguments it takes, as its usage calls them. `makesDatabase`: with it an installation
 * may begin, so that DATA_DIR may be empty. Prints its result to standard output and returns.
 */
export type Command = {
  words: string[];
  usage: string;
  options: Options;
  required?: string[];
  operands?: string[];
  makesDatabase?: boolean;
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

/** The option that a field came from, `"site-url"`; or, where its members are typed as one, with how that is typed. */
type FieldOption = string | { option: string; typed: string };

/**
 * Runs `work`, whose rules know nothing of options: a field that it refuses is told by the option that it came from.
 * `options`: the option of each field, `{ url: "site-url" }`.
 */
export async function forOption<T>(options: Record<string, FieldOption>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "validation_failed") throw error;
    const faults = (error.details.errors as FieldFault[]).map((fault) => nameOption(fault, options));
    // Of what is typed as one, both halves may be wrong: that is one fault.
    throw invalidFields(
      faults.filter((fault, at) => faults.findIndex((each) => isDeepStrictEqual(each, fault)) === at),
    );
  }
}

/**
 * `/topics/0/topicId` becomes `/--topics/topicId`: the first step is the field, and nobody has typed a member's place in
 * a list. An option that ends with a dash stands for several: with "utm-" `/utm/source` becomes `/--utm-source`.
 */
function nameOption({ path, message }: FieldFault, options: Record<string, FieldOption>): FieldFault {
  const [, field = "", ...steps] = path.split("/");
  const option = options[field];
  if (option === undefined) return { path, message };
  const within = steps.filter((step) => !/^\d+$/.test(step));
  if (typeof option === "object") {
    return { path: `/--${option.option}`, message: within.length === 0 ? message : `must be ${option.typed}` };
  }
  const member = option.endsWith("-") ? (within.shift() ?? "*").replaceAll(/[A-Z]/g, (c) => `-${c.toLowerCase()}`) : "";
  return { path: [`/--${option}${member}`, ...within].join("/"), message };
}

/** A command that was typed wrong: its usage is printed, or every command's where there is none, with exit code 2. */
export class UsageError extends Error {}

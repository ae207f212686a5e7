import { ConfigError } from "../config.ts";
import { SchemaError } from "../db/schema.ts";
import { AppError, type FieldFault } from "../errors.ts";
import { UsageError } from "./command.ts";

type Explanation = { text: string; exitCode: 1 | 2 };

/** SQLSTATE classes: connection failure (08), refused login (28), unknown database (3D), shutdown (57P). */
const databasePattern = /^(08|28|3D|57P)/;

/**
 * Returns the text to print for an error, and the exit code: 2, with `usage`, for an error in the command line, else
 * 1. Only an
 * unexpected error is shown with its stack.
 */
export function explainError(error: unknown, usage: string): Explanation {
  const { code, syscall, message, stack } = asError(error);
  if (error instanceof UsageError || code.startsWith("ERR_PARSE_ARGS")) {
    // The message comes last: the beginning of a long usage scrolls out of sight.
    return { text: `${usage}\n${message}\n`, exitCode: 2 };
  }
  if (error instanceof ConfigError || error instanceof SchemaError) return { text: `${message}\n`, exitCode: 1 };
  if (error instanceof AppError) return { text: `${message}\n${listOf(error.details.errors)}`, exitCode: 1 };
  if (syscall === "listen") {
    return { text: `Cannot listen there (${message}). Set PORT or HOST to what is free.\n`, exitCode: 1 };
  }
  if (databasePattern.test(code) || syscall === "connect" || message.startsWith("Connection terminated")) {
    return {
      text: `The database cannot be used (${message || code}). Check DATABASE_URL and its server.\n`,
      exitCode: 1,
    };
  }
  return { text: `${stack}\n`, exitCode: 1 };
}

function asError(error: unknown): { code: string; syscall: unknown; message: string; stack: string } {
  if (!(error instanceof Error)) return { code: "", syscall: undefined, message: String(error), stack: String(error) };
  // A host with two addresses fails with one error for each; the first is enough.
  const first: NodeJS.ErrnoException = error instanceof AggregateError ? (error.errors[0] as Error) : error;
  return {
    code: first.code ?? "",
    syscall: first.syscall,
    message: first.message,
    stack: first.stack ?? first.message,
  };
}

function listOf(faults: unknown): string {
  const fieldOf = ({ path }: FieldFault) => path.slice(1).replaceAll("/", " ");
  return ((faults ?? []) as FieldFault[]).map((fault) => `  ${fieldOf(fault)} ${fault.message}\n`).join("");
}

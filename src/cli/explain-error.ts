import { ConfigError } from "../config.ts";
import { AppError, type FieldFault } from "../errors.ts";
import { UsageError } from "./command.ts";

type Explanation = { text: string; exitCode: 1 | 2 };

/** PostgreSQL refuses the login, knows no such database, or goes down: the classes of its errors. */
const databasePattern = /^(08|28|3D|57P)/;

/**
 * What went wrong, for the person at the terminal, and the exit code: 2 with `usage` above it for a command that was
 * typed wrong, else 1. Only what nobody foresaw shows its stack.
 */
export function explain(error: unknown, usage: string): Explanation {
  const { code, syscall, message, stack } = asError(error);
  if (error instanceof UsageError || code.startsWith("ERR_PARSE_ARGS")) {
    // A long usage scrolls away: what stays in sight is its end.
    return { text: `${usage}\n${message}\n`, exitCode: 2 };
  }
  if (error instanceof ConfigError) return { text: `${message}\n`, exitCode: 1 };
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
  // A name with two addresses fails twice; the first tells enough.
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

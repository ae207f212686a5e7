import { BackupError } from "../backup/backup-error.ts";
import { SchemaError } from "../db/schema.ts";
import { AppError, ConfigError, type FieldFault } from "../errors.ts";
import { UsageError } from "./command.ts";

/** What to print on standard error, and the exit code. */
export type Explanation = { text: string; exitCode: 1 | 2 };

/** The advice for an error of the database, by a pattern of its SQLSTATE. The first match counts. */
const databaseAdvice: [code: RegExp, advice: string][] = [
  [/^53300/, "No connection is free: end some, raise max_connections, or use a role with connections of its own"],
  [/^25006/, "The database takes no writes: it is a standby or read-only. Use the primary, or wait for the failover"],
  [/^42501/, "The role lacks a right: it must own the tables, or be a member of the role that does"],
  [/^(57014|55P03|40P01)/, "The database was too busy or held a lock for too long: try again"],
  [/^53/, "The database has no room left: look at its disk and memory"],
  [/^28/, "The database refuses the login: check user and password in DATABASE_URL"],
  [/^(08|3D|57P)/, "Check DATABASE_URL and its server"],
];

/** Failures of a login or of TLS, which have no SQLSTATE. */
const loginPattern = /^(SASL|SCRAM)|does not support SSL|certificate/i;
const tlsCodes = /^(ERR_TLS_|ERR_SSL_|UNABLE_TO_|CERT_|SELF_SIGNED|DEPTH_ZERO)/;

/**
 * Returns the advice for an error of the database or of the connection to it. Returns undefined for any other error.
 */
function adviceOf({ code, syscall, message }: { code: string; syscall: unknown; message: string }): string | undefined {
  const known = databaseAdvice.find(([pattern]) => /^[0-9A-Z]{5}$/.test(code) && pattern.test(code));
  if (known !== undefined) return known[1];
  if (tlsCodes.test(code) || loginPattern.test(message))
    return "Check user, password, sslmode and sslrootcert in DATABASE_URL";
  if (
    syscall === "connect" ||
    /^Connection terminated|timeout exceeded when trying to connect|timeout expired/.test(message)
  )
    return "Check DATABASE_URL and its server";
  return syscall === "getaddrinfo" ? "Check the host in DATABASE_URL" : undefined;
}

/**
 * Returns the text to print for an error, and the exit code: 2, with `usage`, for an error in the command line, and
 * otherwise 1. Only an unexpected error is shown with its stack.
 */
export function explainError(error: unknown, usage: string): Explanation {
  const { code, syscall, message, stack } = asError(error);
  if (error instanceof UsageError) return { text: `${message}\n\n${usage}`, exitCode: 2 };
  if (error instanceof ConfigError || error instanceof SchemaError || error instanceof BackupError)
    return { text: `${message}\n`, exitCode: 1 };
  if (error instanceof AppError) return { text: `${message}\n${listOf(error.details.errors)}`, exitCode: 1 };
  if (syscall === "listen") {
    return { text: `Cannot listen there (${message}). Set PORT or HOST to what is free.\n`, exitCode: 1 };
  }
  const advice = adviceOf({ code, syscall, message });
  if (advice !== undefined)
    return { text: `The database cannot be used (${message || code}). ${advice}.\n`, exitCode: 1 };
  return { text: `${stack}\n`, exitCode: 1 };
}

function asError(error: unknown): { code: string; syscall: unknown; message: string; stack: string } {
  if (!(error instanceof Error)) return { code: "", syscall: undefined, message: String(error), stack: String(error) };
  // A host with two addresses fails with one error for each. The first error is enough.
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

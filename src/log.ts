import { AsyncLocalStorage } from "node:async_hooks";
import { isatty } from "node:tty";
import { trace } from "@opentelemetry/api";
import { pino } from "pino";
import { textOfLine } from "./log-text.ts";

export type Logger = ReturnType<typeof createLogger>;

const currentFields = new AsyncLocalStorage<Record<string, unknown>>();

/** Runs `work`. Each line that it logs gets `fields`, such as the id of its request or run. */
export function withLogFields<T>(fields: Record<string, unknown>, work: () => T): T {
  return currentFields.run({ ...currentFields.getStore(), ...fields }, work);
}

/** Returns the fields that each line gets: those of `withLogFields`, and the trace if there is one. */
function commonFields(): Record<string, unknown> {
  const span = trace.getActiveSpan()?.spanContext();
  return { ...currentFields.getStore(), ...(span && { traceId: span.traceId, spanId: span.spanId }) };
}

/** `auto`: text on a terminal, JSON in a file or a pipe. */
export type LogFormat = "auto" | "json" | "text";

/**
 * Creates the log: one line per event, on standard output, or on standard error for commands whose output is parsed.
 * Redacts keys, cookies and push endpoints up to two levels deep, because they are secrets or personal data.
 */
export function createLogger(level: string, to: "stdout" | "stderr" = "stdout", format: LogFormat = "json") {
  return pino(
    {
      level,
      base: undefined,
      mixin: commonFields,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: loggableError },
      redact: {
        paths: ["authorization", "cookie", "endpoint", "secret", "keys"].flatMap((name) => [
          name,
          `*.${name}`,
          `*.*.${name}`,
        ]),
        censor: "[redacted]",
      },
    },
    destinationOf(to === "stdout" ? 1 : 2, format),
  );
}

function destinationOf(file: 1 | 2, format: LogFormat) {
  const lines = pino.destination(file);
  const isText = format === "text" || (format === "auto" && isatty(file));
  return isText ? { write: (line: string) => void lines.write(textOfLine(line)) } : lines;
}

/**
 * Returns the fields of an error that are logged. Message and stack include its causes. Leaves out `detail` and
 * `where` of a database error, because they quote rows and values, which may include push endpoints and keys.
 */
export function loggableError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const { type, message, stack } = pino.stdSerializers.err(error);
  const { code, table, constraint } = error as { code?: unknown; table?: unknown; constraint?: unknown };
  return { type, message, stack, code, table, constraint };
}

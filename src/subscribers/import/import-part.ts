import { z } from "zod";
import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { parseInput, uuid } from "../../input.ts";
import { type ImportReport, importChunks } from "./import-subscribers.ts";

/** Further wrong lines are only counted: a part with more of them is no file of subscriptions. */
const maxListedFaults = 5_000;

const partQuery = z.strictObject({
  more: z.enum(["true", "false"], "must be true or false").default("false"),
  importId: uuid.optional(),
  part: z
    .string("must be given once")
    .regex(/^[1-9]\d{0,5}$/, "must be a whole number from 1")
    .transform(Number)
    .default(1),
});

/** The result of a part. Line numbers count from 1 within the part. */
export type ImportedPart = { report: ImportReport; faults: { line: number; reason: string }[] };

/**
 * Imports one part of a file of subscriptions (complete lines of NDJSON) to a site of the actor's tenant. `query`:
 * `more=true` if other parts follow; `importId` (chosen by the caller) and `part` (from 1), by which the audit log counts all
 * parts of a file as one import. Lists wrong lines and imports the rest. A second import of the same part changes
 * nothing. Throws `not_found` and `validation_failed`.
 */
export async function importPart(
  app: App,
  actor: Actor,
  input: { siteId: string; query: unknown; lines: Buffer },
): Promise<ImportedPart> {
  const { more, importId, part } = parseInput(partQuery, input.query);
  const faults: ImportedPart["faults"] = [];
  const report = await importChunks(app, actor, {
    siteId: input.siteId,
    hasMore: more === "true",
    ...(importId === undefined ? {} : { partOf: { importId, part } }),
    open: () => ({ chunks: singleChunk(input.lines) }),
    onWrongLine: (line, reason) => {
      if (faults.length < maxListedFaults) faults.push({ line, reason });
    },
  });
  return { report, faults };
}

async function* singleChunk(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

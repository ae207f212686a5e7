import { z } from "zod";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { parseInput } from "../input.ts";
import { type ImportReport, importChunks } from "./import-subscribers.ts";

/** Beyond it faults are only counted: a part that has more of them is no file of subscriptions. */
const toldFaultsAtMost = 5_000;

const partQuery = z.strictObject({ more: z.enum(["true", "false"], "must be true or false").default("false") });

/** What became of a part. Lines are numbered within it, from 1. */
export type ImportedPart = { report: ImportReport; faults: { line: number; reason: string }[] };

/**
 * Takes a part of a file of subscriptions, whole lines of NDJSON, to a site of the actor's tenant. `query`: `more` where
 * others follow. A wrong line is told and the rest goes in; the same part again changes nothing. Throws `not_found` and
 * `validation_failed`.
 */
export async function importPart(
  app: App,
  actor: Actor,
  input: { siteId: string; query: unknown; lines: Buffer },
): Promise<ImportedPart> {
  const { more } = parseInput(partQuery, input.query);
  const faults: ImportedPart["faults"] = [];
  const report = await importChunks(app, actor, {
    siteId: input.siteId,
    hasMore: more === "true",
    open: () => ({ chunks: onlyChunk(input.lines) }),
    onWrongLine: (line, reason) => {
      if (faults.length < toldFaultsAtMost) faults.push({ line, reason });
    },
  });
  return { report, faults };
}

async function* onlyChunk(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

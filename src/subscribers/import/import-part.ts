import { z } from "zod";
import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { appError, invalidFields } from "../../errors.ts";
import { isId } from "../../ids.ts";
import { parseInput, uuid } from "../../input.ts";
import { siteOfTenant } from "../../tenants/sites/queries.ts";
import { type FileLayout, fileLayout, isComplete } from "./file-layout.ts";
import { type GuessedLayout, guessLayout } from "./guess-layout.ts";
import { importChunks } from "./import-subscribers.ts";
import type { ImportReport } from "./record-part.ts";

/** Further wrong lines are only counted: a part with more of them is no file of subscriptions. */
const maxListedFaults = 5_000;
const shownRecords = 5;

const partQuery = z.strictObject({
  more: z.enum(["true", "false"], "must be true or false").default("false"),
  importId: uuid.optional(),
  part: z
    .string("must be given once")
    .regex(/^[1-9]\d{0,5}$/, "must be a whole number from 1")
    .transform(Number)
    .default(1),
  layout: z.string("must be given once").optional(),
});

/** The result of a part. Line numbers count from 1 within the part; a record may go over several (`lastLine`). */
export type ImportedPart = { report: ImportReport; faults: { line: number; lastLine?: number; reason: string }[] };

/**
 * Imports one part of a file of subscriptions (complete records) to a site of the actor's tenant. `query`:
 * `more=true` if other parts follow; `importId` (chosen by the caller) and `part` (from 1), by which the audit log counts all
 * parts of a file as one import; `layout`, as JSON (see `FileLayout`). Lists wrong lines and imports the rest. A second
 * import of the same part changes nothing. Throws `not_found` and `validation_failed`.
 */
export async function importPart(
  app: App,
  actor: Actor,
  input: { siteId: string; query: unknown; lines: Buffer },
): Promise<ImportedPart> {
  const { more, importId, part, layout } = parseInput(partQuery, input.query);
  const faults: ImportedPart["faults"] = [];
  const report = await importChunks(app, actor, {
    siteId: input.siteId,
    hasMore: more === "true",
    layout: layout === undefined ? undefined : readLayout(layout, part),
    ...(importId === undefined ? {} : { partOf: { importId, part } }),
    open: () => ({ chunks: singleChunk(input.lines) }),
    onWrongLine: (line, reason, lastLine) => {
      if (faults.length < maxListedFaults) faults.push({ line, ...(lastLine === line ? {} : { lastLine }), reason });
    },
  });
  return { report, faults };
}

async function* singleChunk(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** Reads the layout of a file, whose header is in the first part. Throws `validation_failed`. */
function readLayout(text: string, part: number): FileLayout {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidFields([{ path: "/layout", message: "must be JSON" }]);
  }
  const layout = parseInput(fileLayout, value);
  if (layout.format !== "csv") return layout;
  if (!isComplete(layout)) {
    const message = "needs the column subscription, or endpoint, p256dh and auth";
    throw invalidFields([{ path: "/columns", message }]);
  }
  return { ...layout, hasHeader: layout.hasHeader && part === 1 };
}

/**
 * Guesses what a file is, from its first bytes: format, and for CSV which columns hold what, with the first records. Stores
 * nothing. Throws `not_found`.
 */
export async function previewImport(
  app: App,
  actor: Actor,
  input: { siteId: string; sample: Buffer },
): Promise<GuessedLayout> {
  const site = isId(input.siteId) ? await siteOfTenant(app.db, actor.tenantId, input.siteId) : undefined;
  if (site === undefined) throw appError("not_found", { message: `There is no site ${input.siteId}.` });
  const { records, ...guess } = guessLayout(input.sample);
  return { ...guess, records: records.slice(0, shownRecords) };
}

import { z } from "zod";
import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { appError, invalidFields } from "../../errors.ts";
import { fault, faults, zodText } from "../../faults.ts";
import { newId } from "../../ids.ts";
import { givenOnce, parseInput, uuid } from "../../input.ts";
import type { ParseTask } from "../../parser.ts";
import { type FileLayout, fileLayout, isComplete } from "./file-layout.ts";
import { type GuessedLayout, layoutTask, sampleBytes } from "./guess-layout.ts";
import { mergeLines } from "./merge-lines.ts";
import { importStatements } from "./queries.ts";
import { maxRecords, partTask, type ReadPart } from "./read-part.ts";
import { type ImportReport, recordPart } from "./record-part.ts";
import { expectSite, rulesOfSite } from "./site-rules.ts";
import type { WrongLine } from "./wrong-line.ts";

const shownRecords = 5;
/** All imports together use one of the parser's threads, so that the others can read stories meanwhile. */
const readersOfParts = "imports";

const yesOrNo = z.enum(["true", "false"], zodText(faults.wrong_type({ type: "true or false" }))).default("false");
const partQuery = z.strictObject({
  more: yesOrNo,
  bringBack: yesOrNo,
  importId: uuid.optional(),
  part: givenOnce
    .regex(/^[1-9]\d{0,5}$/, zodText(faults.not_positive()))
    .transform(Number)
    .default(1),
  layout: givenOnce.optional(),
});

/**
 * The result of a part. Line numbers count from 1 within the part. A record may span several lines, up to `lastLine`.
 */
export type ImportedPart = { report: ImportReport; faults: WrongLine[] };

type Input = { siteId: string; query: unknown; lines: Buffer; signal: AbortSignal };

/**
 * Imports one part of a file of subscriptions (complete records) to a site of the actor's tenant, when it is the
 * tenant's turn. Lists wrong lines and imports the rest. A second import of the same part changes nothing. Once
 * `signal` is aborted, nothing is stored.
 *
 * `query`: `more=true` if other parts follow. `importId` (chosen by the caller) and `part` (from 1) let the audit log
 * count all parts of a file as one import. `layout` is JSON (see `FileLayout`). `bringBack=true` also imports readers
 * who have left the site.
 *
 * Throws `not_found`, `validation_failed`, `payload_too_large` (more than `maxRecords`), `rate_limited` and
 * `unavailable`.
 */
export async function importPart(app: App, actor: Actor, input: Input): Promise<ImportedPart> {
  const { more, bringBack, importId, part, layout } = parseInput(partQuery, input.query);
  const read = layout === undefined ? ({ format: "ndjson" } as const) : readLayout(layout, part);
  const of = { siteId: input.siteId, hasMore: more === "true", bringBack: bringBack === "true" };
  const imported = await storePart(app, actor, { ...input, ...of, layout: read }).catch(async (error) => {
    // Earlier parts may be stored, so the import is recorded. If the database itself failed, the audit log misses this
    // event too.
    if (importId !== undefined)
      await recordPart(app.db, actor, { ...of, importId, part: 0, hasMore: true }, nothing).catch(() => {});
    throw error;
  });
  if (imported.report.added > 0 && !of.hasMore) app.imports.later(importStatements.analyze);
  // A part without an id is an import of its own.
  const whole = importId === undefined ? { importId: newId(), part: 1, hasMore: false } : { importId, part };
  await recordPart(app.db, actor, { ...of, ...whole }, imported.report);
  return imported;
}

const nothing: ImportReport = { lines: 0, added: 0, changed: 0, unchanged: 0, wrong: 0 };

type Part = Input & { layout: FileLayout; bringBack: boolean };

/** Reads a part in a thread and stores it, in one turn of the tenant. */
async function storePart(app: App, actor: Actor, part: Part): Promise<ImportedPart> {
  const { siteId, bringBack, layout, lines, signal } = part;
  const rules = await rulesOfSite(app, actor, siteId);
  const work = async (): Promise<ImportedPart> => {
    const read = await inThread(app, partTask, { bytes: lines, layout, rules });
    if (read === undefined) throw tooMany();
    if (signal.aborted) throw appError("unavailable");
    const merged = await app.imports.withClient((client) =>
      mergeLines(client, read.copyLines, { siteId, bringBack, signal }),
    );
    return resultOf(read, merged);
  };
  return app.imports.inTurn(actor.tenantId, work, signal);
}

function resultOf(read: ReadPart, { added, changed, refused }: Awaited<ReturnType<typeof mergeLines>>): ImportedPart {
  const unchanged = read.copyLines.length - refused.length - added - changed;
  const report = { lines: read.lines, added, changed, unchanged, wrong: read.wrong + refused.length };
  return { report, faults: [...read.faults, ...refused].toSorted((a, b) => a.line - b.line) };
}

async function inThread<In, Out>(app: App, task: ParseTask<In, Out>, input: In): Promise<Out> {
  const parsed = await app.parser.parse(task, input, readersOfParts);
  if (parsed.kind === "parsed") return parsed.value;
  throw parsed.kind === "busy" ? appError("unavailable") : tooMany();
}

function tooMany() {
  const most = maxRecords.toLocaleString("en");
  return appError("payload_too_large", {
    message: `A part of an import has at most ${most} lines, of subscriptions. Check that this is the right file, or send less.`,
  });
}

/** Reads the layout of a file. Only the first part has the header. Throws `validation_failed`. */
function readLayout(text: string, part: number): FileLayout {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidFields([fault("/layout", faults.not_json())]);
  }
  const layout = parseInput(fileLayout, value);
  if (layout.format !== "csv") return layout;
  if (!isComplete(layout)) {
    throw invalidFields([fault("/columns", faults.columns_missing())]);
  }
  return { ...layout, hasHeader: layout.hasHeader && part === 1 };
}

/**
 * Guesses the layout of a file from its first bytes: the format, the columns that say who has left, and for CSV the
 * roles of the columns and the first records. Stores nothing. Throws `not_found`, `payload_too_large` and
 * `unavailable`.
 */
export async function previewImport(
  app: App,
  actor: Actor,
  input: { siteId: string; sample: Buffer },
): Promise<GuessedLayout> {
  await expectSite(app, actor, input.siteId);
  const bytes = input.sample.subarray(0, sampleBytes);
  const { records, ...guess } = await inThread(app, layoutTask, { bytes, isWhole: input.sample.length < sampleBytes });
  return { ...guess, records: records.slice(0, shownRecords) };
}

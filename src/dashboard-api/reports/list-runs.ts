import { z } from "zod";
import { type Actor, limitedTo, seesSite } from "../../actor.ts";
import type { App } from "../../app.ts";
import { invalidFields } from "../../errors.ts";
import { fault, faults, zodText } from "../../faults.ts";
import { cutPage, idCursor, pageLimit, parseInput, uuid } from "../../input.ts";
import { siteOfTenant } from "../../tenants/sites/queries.ts";
import { figuresOfRuns, type ListedRun, runsOfTenant } from "./queries.ts";
import { type Figures, viewFigures } from "./view-figures.ts";

const listInput = z.strictObject({
  siteId: uuid.optional(),
  since: z.iso
    .datetime({ offset: true, error: zodText(faults.not_a_time_with_offset({ example: "2026-07-28T12:00:00Z" })) })
    .transform((text) => new Date(text))
    .optional(),
  limit: pageLimit,
  cursor: idCursor,
});

/** The query of a list of runs as a caller writes it. */
export type RunQuery = z.input<typeof listInput>;

/** A run with the figures of GET /v1/runs/:runId, without reasons and hours. */
export type ReportedRun = ListedRun & Figures;

export type RunPage = { data: ReportedRun[]; nextCursor: string | null };

/**
 * Lists a page of the tenant's runs that the actor sees, with their figures, newest first, without tests. `query`:
 * the query parameters of the request. The cursor is the last id of the previous page. Throws `validation_failed`.
 */
export async function listRuns(app: App, actor: Actor, input: { query: unknown }): Promise<RunPage> {
  const { limit, cursor, ...filter } = parseInput(listInput, input.query);
  const { siteId } = filter;
  const isSeen = siteId === undefined || seesSite(actor, siteId);
  if (!isSeen || (siteId !== undefined && (await siteOfTenant(app.db, actor.tenantId, siteId)) === undefined)) {
    throw invalidFields([fault("/siteId", faults.unknown_site())]);
  }
  const within = { ...filter, siteIds: limitedTo(actor) };
  const found = await runsOfTenant(app.db, actor.tenantId, { ...within, after: cursor, limit: limit + 1 });
  const { page, nextCursor } = cutPage(found, limit, ({ runId }) => runId);
  const ids = page.map(({ runId }) => runId);
  const figures = new Map(
    (await figuresOfRuns(app.db, actor.tenantId, ids)).map((one) => [one.runId, viewFigures(one)]),
  );
  return { data: page.map((run) => ({ ...run, ...figures.get(run.runId)! })), nextCursor };
}

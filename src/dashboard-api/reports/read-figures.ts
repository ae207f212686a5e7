import { z } from "zod";
import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { faults, zodText } from "../../faults.ts";
import { cutPage, givenOnce, oneOfMany, pageLimit, parseInput } from "../../input.ts";
import { type FiguresOfGroup, figuresOfPeriod, groupings } from "./figures-queries.ts";
import { isPeriod, periodFault, periodFields } from "./period.ts";
import { findReportedSite } from "./subscribers-summary.ts";

const figuresInput = z
  .strictObject({
    ...periodFields,
    by: oneOfMany(groupings),
    limit: pageLimit,
    cursor: givenOnce.min(1, zodText(faults.not_a_cursor())).optional(),
  })
  .refine(isPeriod, periodFault);

/** The query of figures as a caller writes it. */
export type FiguresQuery = z.input<typeof figuresInput>;

export type FiguresPage = { data: FiguresOfGroup[]; nextCursor: string | null };

/**
 * Reads the sums over what a site sent from `from` to `to`, grouped by day, topic, sender, class or label, in the
 * order of the keys. Throws `not_found` and `validation_failed`.
 */
export async function readFigures(
  app: App,
  actor: Actor,
  input: { siteId: string; query: unknown },
): Promise<FiguresPage> {
  const site = await findReportedSite(app, actor, input.siteId);
  const { limit, cursor, ...period } = parseInput(figuresInput, input.query);
  const found = await figuresOfPeriod(app.db, site, period, { after: cursor, limit: limit + 1 });
  // Only the very last group has no key, so each further page begins after a key.
  const { page, nextCursor } = cutPage(found, limit, ({ key }) => key!);
  return { data: page, nextCursor };
}

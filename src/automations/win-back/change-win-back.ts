import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { recordAuditEvent } from "../../audit/record-event.ts";
import { inTenant } from "../../db/pool.ts";
import { invalidFields } from "../../errors.ts";
import { faultsOf } from "../../input.ts";
import { isWinBack } from "../../runs/kinds.ts";
import { assertOnePersonDecides } from "../../sends/second-person.ts";
import { changesBetween } from "../../tenants/changes.ts";
import { siteOfActor } from "../../tenants/sites/site-of-actor.ts";
import { figuresByLabel } from "../figures.ts";
import { sizeFaults, validFields } from "../nudge-fields.ts";
import { countRemoved, lockWinBack, nextReaders, upsertWinBack, winBackOfSite } from "./queries.ts";
import { noWinBack, type WinBack, type WinBackFigures, wholeWinBack, winBackChange } from "./win-back.ts";

const figuresDays = 30;
const noFigures = { accepted: 0, displayed: 0, clicked: 0, clickedReporting: 0, unsubscribed: 0 };

/** Returns the win-back of a site of the actor's tenant. Throws `not_found`. */
export async function readWinBack(app: App, actor: Actor, { siteId }: { siteId: string }): Promise<WinBack> {
  await siteOfActor(app.db, actor, siteId);
  return (await winBackOfSite(app.db, siteId)) ?? noWinBack;
}

/** Returns what readers did with win-backs in the last 30 days, and how many were removed. Throws `not_found`. */
export async function readWinBackFigures(
  app: App,
  actor: Actor,
  { siteId }: { siteId: string },
): Promise<WinBackFigures> {
  await siteOfActor(app.db, actor, siteId);
  const [{ label: _, ...figures } = { label: null, ...noFigures }] = await figuresByLabel(
    app.db,
    siteId,
    figuresDays,
    isWinBack("r"),
  );
  return { ...figures, removed: await countRemoved(app.db, siteId, figuresDays) };
}

/**
 * Changes the win-back of a site of the actor's tenant. Absent fields stay. If it no longer removes readers, pending
 * removals are cancelled. Returns the new win-back. Throws `validation_failed` with all faults, `not_found`, and
 * `confirmation_required` if it would go to more readers than one person may decide on.
 */
export async function changeWinBack(
  app: App,
  actor: Actor,
  { siteId, body }: { siteId: string; body: unknown },
): Promise<WinBack> {
  return inTenant(app.db, actor.tenantId, async (tx) => {
    await siteOfActor(tx, actor, siteId);
    const before = (await lockWinBack(tx, siteId)) ?? noWinBack;
    const after = readChange(before, body);
    const changes = changesBetween(before, after, Object.keys(noWinBack) as (keyof WinBack)[]);
    if (changes === undefined) return before;
    await upsertWinBack(tx, siteId, after);
    if (after.enabled) await assertOnePersonDecides(tx, actor, await nextReaders(tx, siteId), tooMany);
    await recordAuditEvent(tx, actor, "win_back.changed", { siteId, details: { changes } });
    return after;
  });
}

const tooMany =
  "This would go to more people than one person may decide on, and the win-back cannot wait for a second person's yes. " +
  "Let it begin after more days, or ask the operator.";

/** Returns the win-back after a change. Its fields may be missing while it is off. Throws `validation_failed`. */
function readChange(before: WinBack, body: unknown): WinBack {
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  const wanted = { ...before, ...(isObject ? body : {}) } as WinBack;
  const parsed = isObject && wanted.enabled === true ? wholeWinBack.safeParse(wanted) : winBackChange.safeParse(body);
  const after = { ...before, ...parsed.data } as WinBack;
  const faults = [
    ...(parsed.success ? [] : faultsOf(parsed.error)),
    ...sizeFaults(validFields(wholeWinBack.shape, wanted)),
  ];
  if (faults.length > 0) throw invalidFields(faults);
  return after;
}

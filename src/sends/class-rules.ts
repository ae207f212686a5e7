import { sql } from "kysely";
import { roleOnSite } from "../access/members/queries.ts";
import type { Actor } from "../actor.ts";
import type { CampaignRecord } from "../campaigns/campaign.ts";
import { type Executor, row, type Tx } from "../db/pool.ts";
import { appError } from "../errors.ts";
import { sendsCampaign } from "../runs/kinds.ts";
import { ruleOfClass } from "../tenants/sites/queries.ts";

/** The facts of a send that the rules of classes count. */
export type OfClass = Pick<CampaignRecord, "siteId" | "class" | "corrects">;

/**
 * Refuses a member or an API key that may not send campaigns of this class. The scheduler, a feed and the operator act
 * for somebody who may. Throws `class_not_allowed`.
 */
export async function assertMaySendClass(on: Executor, actor: Actor, campaign: OfClass): Promise<void> {
  if (actor.kind !== "user" && actor.kind !== "key") return;
  const { senders } = await ruleOfClass(on, campaign);
  const sender = actor.kind === "key" ? "key" : await roleOnSite(on, actor.userId, campaign.siteId);
  if (!senders.some((allowed) => allowed === sender))
    throw appError("class_not_allowed", { class: campaign.class, senders });
}

/** Returns how many sends of the campaign's class the site may begin in 24 hours; null if there is no limit. */
async function limitOf(on: Executor, campaign: OfClass): Promise<number | null> {
  // The readers of a correction got the original, which was counted.
  return campaign.corrects === null ? (await ruleOfClass(on, campaign)).maxADay : null;
}

/** Waits, if a class has a limit, for a concurrent send of the class, so that `classLeft` counts that send too. */
export async function lockClass(tx: Tx, campaign: OfClass): Promise<void> {
  if ((await limitOf(tx, campaign)) === null) return;
  const { siteId, class: ofClass } = campaign;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`class ${siteId} ${ofClass}`}, 0))`.execute(tx);
}

/** Returns how many more sends of its class the site may begin in these 24 hours; null if there is no limit. */
export async function classLeft(on: Executor, campaign: OfClass): Promise<number | null> {
  const { siteId, class: ofClass } = campaign;
  const limit = await limitOf(on, campaign);
  if (limit === null) return null;
  const sent = await row(
    sql<{ n: number }>`select count(*) as n from runs r where r.site_id = ${siteId} and ${sendsCampaign("r")}
      and r.created_at > now() - interval '24 hours' and r.class = ${ofClass} and r.sequence = 0
      and r.expected_audience > 0`,
    on,
  );
  return limit - sent!.n;
}

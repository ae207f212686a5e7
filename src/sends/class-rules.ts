import { sql } from "kysely";
import { roleInTenant } from "../access/members/queries.ts";
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
  const sender = actor.kind === "key" ? "key" : await roleInTenant(on, actor.userId, actor.tenantId);
  if (!senders.some((allowed) => allowed === sender))
    throw appError("class_not_allowed", { class: campaign.class, senders });
}

/**
 * Returns how many more sends of its class the site may begin in these 24 hours; null if there is no limit.
 * Corrections do not count, because their readers got the original. If two sends come at the same time, the
 * second counts the first.
 */
export async function classLeft(tx: Tx, campaign: OfClass): Promise<number | null> {
  const { siteId, class: ofClass, corrects } = campaign;
  const { maxADay } = await ruleOfClass(tx, campaign);
  if (maxADay === null || corrects !== null) return null;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`class ${siteId} ${ofClass}`}, 0))`.execute(tx);
  const sent = await row(
    sql<{ n: number }>`select count(*) as n from runs r where r.site_id = ${siteId} and ${sendsCampaign("r")}
      and r.created_at > now() - interval '24 hours' and r.class = ${ofClass} and r.sequence = 0
      and r.expected_audience > 0`,
    tx,
  );
  return maxADay - sent!.n;
}

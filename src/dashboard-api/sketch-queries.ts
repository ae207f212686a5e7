import { sql } from "kysely";
import { type Executor, row, rows, type Tx } from "../db/pool.ts";

/** Whose sketch it is, and of which site. */
export type SketchOwner = { tenantId: string; siteId: string; userId: string };

/** A sketch as stored. `campaignId`: null if it has none, or one that can no longer be changed. */
export type SketchRecord = {
  id: string;
  campaignId: string | null;
  inCampaign: boolean;
  content: string;
  revision: number;
  savedAt: Date;
};

const ofMember = ({ tenantId, siteId, userId }: SketchOwner) =>
  sql`k.tenant_id = ${tenantId} and k.site_id = ${siteId} and k.user_id = ${userId}`;

/**
 * The sketches of a member at a site, the last saved first. Without those that a campaign has whole and that was sent or
 * cancelled: nothing of them is lost.
 */
export function sketchesOfMember(on: Executor, owner: SketchOwner): Promise<SketchRecord[]> {
  return rows(
    sql<SketchRecord>`select k.id, case when c.status in ('draft', 'scheduled') then k.campaign_id end as "campaignId",
        k.in_campaign as "inCampaign", k.content, k.revision, k.saved_at as "savedAt"
      from sketches k left join campaigns c on c.site_id = k.site_id and c.id = k.campaign_id
      where ${ofMember(owner)} and not (k.in_campaign and c.status not in ('draft', 'scheduled'))
      order by k.saved_at desc, k.id`,
    on,
  );
}

/** Locks a sketch by its id, of any owner, until the transaction ends. */
export function lockSketch(
  tx: Tx,
  id: string,
): Promise<{ siteId: string; userId: string; revision: number; page: string } | undefined> {
  return row(
    sql<{ siteId: string; userId: string; revision: number; page: string }>`select
        site_id as "siteId", user_id as "userId", revision, page from sketches where id = ${id} for update`,
    tx,
  );
}

type Saved = { revision: number; savedAt: Date };
type Written = { id: string; campaignId: string | null; inCampaign: boolean; content: string; page: string };

/** Inserts a sketch. Undefined: another request has just inserted it. */
export function insertSketch(tx: Tx, owner: SketchOwner, sketch: Written): Promise<Saved | undefined> {
  return row(
    sql<Saved>`insert into sketches (id, tenant_id, site_id, user_id, campaign_id, in_campaign, content, page)
      values (${sketch.id}, ${owner.tenantId}, ${owner.siteId}, ${owner.userId}, ${sketch.campaignId},
        ${sketch.inCampaign}, ${sketch.content}, ${sketch.page})
      on conflict (id) do nothing returning revision, saved_at as "savedAt"`,
    tx,
  );
}

/** Updates a sketch that the caller has locked. */
export async function updateSketch(tx: Tx, { id, campaignId, inCampaign, content, page }: Written): Promise<Saved> {
  const saved = await row(
    sql<Saved>`update sketches set campaign_id = ${campaignId}, in_campaign = ${inCampaign}, content = ${content},
        page = ${page}, revision = revision + 1, saved_at = now()
      where id = ${id} returning revision, saved_at as "savedAt"`,
    tx,
  );
  return saved!;
}

/** Deletes the sketches of a member at a site but the `kept` that were saved last. */
export async function deleteOldestSketches(tx: Tx, owner: SketchOwner, kept: number): Promise<void> {
  await sql`delete from sketches where id in (select k.id from sketches k where ${ofMember(owner)}
    order by k.saved_at desc, k.id offset ${kept})`.execute(tx);
}

/** Deletes a sketch of a member. False: the member has none with this id at this site. */
export async function deleteSketchOfMember(on: Executor, owner: SketchOwner, id: string): Promise<boolean> {
  const deleted = await row(sql`delete from sketches k where k.id = ${id} and ${ofMember(owner)} returning k.id`, on);
  return deleted !== undefined;
}

/** Deletes at most `limit` sketches that were saved last more than `days` ago. Returns how many. */
export async function deleteOldSketches(on: Executor, days: number, limit: number): Promise<number> {
  const deleted = await rows(
    sql`delete from sketches where id in (select id from sketches
      where saved_at < now() - make_interval(days => ${days}) limit ${limit}) returning id`,
    on,
  );
  return deleted.length;
}

import { sql } from "kysely";
import { type Executor, row, rows, type Tx } from "../db/pool.ts";

/** The owner of an autosaved draft, and its site. */
export type AutosavedDraftOwner = { tenantId: string; siteId: string; userId: string };

/**
 * An autosaved draft as stored. `campaignId`: null if it has no campaign, or if the campaign can no longer be
 * changed.
 */
export type AutosavedDraftRecord = {
  id: string;
  campaignId: string | null;
  inCampaign: boolean;
  isKept: boolean;
  content: string;
  revision: number;
  savedAt: Date;
};

const ofMember = ({ tenantId, siteId, userId }: AutosavedDraftOwner) =>
  sql`k.tenant_id = ${tenantId} and k.site_id = ${siteId} and k.user_id = ${userId}`;

/**
 * Returns the autosaved drafts of a member at a site. The draft that was saved last is first. Leaves out drafts whose
 * whole text is in a campaign that was sent or cancelled.
 */
export function autosavedDraftsOfMember(on: Executor, owner: AutosavedDraftOwner): Promise<AutosavedDraftRecord[]> {
  return rows(
    sql<AutosavedDraftRecord>`select k.id, case when c.status = 'draft' then k.campaign_id end as "campaignId",
        k.in_campaign as "inCampaign", k.is_kept as "isKept", k.content, k.revision, k.saved_at as "savedAt"
      from autosaved_drafts k left join campaigns c on c.site_id = k.site_id and c.id = k.campaign_id
      where ${ofMember(owner)} and not (k.in_campaign and c.status <> 'draft')
      order by k.saved_at desc, k.id`,
    on,
  );
}

/** Locks the autosaved draft with this id until the transaction ends, whoever owns it. */
export function lockAutosavedDraft(
  tx: Tx,
  id: string,
): Promise<{ siteId: string; userId: string; revision: number; page: string } | undefined> {
  return row(
    sql<{ siteId: string; userId: string; revision: number; page: string }>`select
        site_id as "siteId", user_id as "userId", revision, page from autosaved_drafts where id = ${id} for update`,
    tx,
  );
}

type Saved = { revision: number; savedAt: Date };
type Written = {
  id: string;
  campaignId: string | null;
  inCampaign: boolean;
  isKept: boolean;
  content: string;
  page: string;
};

/** Inserts an autosaved draft. Returns undefined if another request has just inserted it. */
export function insertAutosavedDraft(
  tx: Tx,
  owner: AutosavedDraftOwner,
  autosavedDraft: Written,
): Promise<Saved | undefined> {
  return row(
    sql<Saved>`insert into autosaved_drafts (id, tenant_id, site_id, user_id, campaign_id, in_campaign, is_kept, content, page)
      values (${autosavedDraft.id}, ${owner.tenantId}, ${owner.siteId}, ${owner.userId}, ${autosavedDraft.campaignId},
        ${autosavedDraft.inCampaign}, ${autosavedDraft.isKept}, ${autosavedDraft.content}, ${autosavedDraft.page})
      on conflict (id) do nothing returning revision, saved_at as "savedAt"`,
    tx,
  );
}

/** Updates an autosaved draft that the caller has locked. */
export async function updateAutosavedDraft(
  tx: Tx,
  { id, campaignId, inCampaign, isKept, content, page }: Written,
): Promise<Saved> {
  const saved = await row(
    sql<Saved>`update autosaved_drafts set campaign_id = ${campaignId}, in_campaign = ${inCampaign}, is_kept = ${isKept}, content = ${content},
        page = ${page}, revision = revision + 1, saved_at = now()
      where id = ${id} returning revision, saved_at as "savedAt"`,
    tx,
  );
  return saved!;
}

/** Deletes the autosaved drafts of a member at a site, except the `kept` that were saved last. */
export async function deleteOldestAutosavedDrafts(tx: Tx, owner: AutosavedDraftOwner, kept: number): Promise<void> {
  await sql`delete from autosaved_drafts where id in (select k.id from autosaved_drafts k where ${ofMember(owner)}
    order by k.saved_at desc, k.id offset ${kept})`.execute(tx);
}

/** Deletes an autosaved draft of a member. Returns false if the member has none with this id at this site. */
export async function deleteAutosavedDraftOfMember(
  on: Executor,
  owner: AutosavedDraftOwner,
  id: string,
): Promise<boolean> {
  const deleted = await row(
    sql`delete from autosaved_drafts k where k.id = ${id} and ${ofMember(owner)} returning k.id`,
    on,
  );
  return deleted !== undefined;
}

/** Deletes at most `limit` autosaved drafts that were last saved more than `days` ago. Returns how many it deleted. */
export async function deleteOldAutosavedDrafts(on: Executor, days: number, limit: number): Promise<number> {
  const deleted = await rows(
    sql`delete from autosaved_drafts where id in (select id from autosaved_drafts
      where saved_at < now() - make_interval(days => ${days}) limit ${limit}) returning id`,
    on,
  );
  return deleted.length;
}

import type { Reason } from "../../decision/checks/check.ts";
import type { ItemStatus } from "./states.ts";

/** An item of a feed, as the database has it. */
export type ItemRecord = {
  id: string;
  siteId: string;
  feedId: string;
  status: ItemStatus;
  guid: string | null;
  url: string | null;
  title: string | null;
  summary: string | null;
  imageUrl: string | null;
  /** The host whose words the title, summary and picture are. Null: it is not known. */
  sourceHost: string | null;
  categories: string[];
  publishedAt: Date | null;
  reasons: Reason[];
  /** The number of reads of its page that brought no answer. */
  tries: number;
  dueAt: Date | null;
  campaignId: string | null;
  runId: string | null;
  foundAt: Date;
  decidedAt: Date | null;
  /** Whether the owner has let it be sent. */
  answered: boolean;
};

/** An item that is due, with the tenant of its site. */
export type DueItem = ItemRecord & { tenantId: string };

/** The state that an item moves to after its check, and after its send if the decision says so. */
export type ItemOutcome =
  | { to: "sent"; campaignId: string; runId: string }
  /** Its campaign is a draft, and the editors' devices get a notification about it. */
  | { to: "suggested"; reasons: []; campaignId: string }
  | { to: "skipped" | "asked"; reasons: Reason[]; campaignId: string | null }
  /** `isTry`: its page was asked and did not answer. Waiting at a gate or a limit uses up no try. */
  | { to: "waiting"; reasons: Reason[]; campaignId: string | null; afterMs: number; isTry: boolean };

/** An item as callers see it. Times: ISO-8601, UTC. `url`: null if the entry has no link. */
export type ItemView = ReturnType<typeof viewItem>;

export function viewItem({
  id: itemId,
  siteId: _site,
  feedId: _feed,
  sourceHost: _source,
  tries: _tries,
  answered: _answered,
  ...item
}: ItemRecord) {
  const { publishedAt, dueAt, foundAt, decidedAt, ...rest } = item;
  const [published, due, found, decided] = [publishedAt, dueAt, foundAt, decidedAt].map(
    (at) => at?.toISOString() ?? null,
  );
  return { itemId, ...rest, publishedAt: published!, dueAt: due!, foundAt: found!, decidedAt: decided! };
}

import { mayActAsOwner } from "../access/members/may-act-as-owner.ts";
import type { Actor } from "../actor.ts";
import type { Tx } from "../db/pool.ts";
import { appError } from "../errors.ts";
import { confirmAboveOf } from "../sends/second-person.ts";
import { type FeedChange, type FeedRecord, maxPollSeconds } from "./feed.ts";

/**
 * Refuses an editor who decides what a feed with the override sends, at a tenant that lets one person reach only
 * `confirmAbove` people. Such a feed sends whatever its document says, to any number of readers, and no one approves
 * it. An editor may still stop sends: switch off the feed or its override, or skip its items. `before`: undefined for
 * a new feed. Checks only members, because keys and the operator act without a role. Throws `forbidden`.
 */
export async function assertMayForce(
  tx: Tx,
  actor: Actor,
  before: FeedRecord | undefined,
  change: FeedChange,
): Promise<void> {
  if (!isForced(before, change) || (await mayActAsOwner(tx, actor))) return;
  if ((await confirmAboveOf(tx, actor.tenantId)) === null) return;
  const message =
    "Large sends need a second person here, and a feed with the override is not asked. Ask an owner to do this; " +
    "you can switch the feed or its override off.";
  throw appError("forbidden", { message });
}

/**
 * Refuses an editor who lets a feed's items lead to more hosts. Also refuses an editor who changes the address of a
 * feed whose items may lead to hosts other than the site's, because readers trust what the site sends them. `before`:
 * undefined for a new feed. Throws `forbidden`.
 */
export async function assertMayLead(
  tx: Tx,
  actor: Actor,
  before: FeedRecord | undefined,
  { url, allowedHosts }: FeedChange,
): Promise<void> {
  const allowed = before?.allowedHosts ?? [];
  const isWider = allowedHosts?.some((host) => !allowed.includes(host)) ?? false;
  const isMoved = before !== undefined && url !== undefined && url !== before.url && allowed.length > 0;
  if ((!isWider && !isMoved) || (await mayActAsOwner(tx, actor))) return;
  const message = isWider
    ? "Only an owner lets a feed's items lead to other hosts than the site's. Ask an owner to allow them."
    : "An owner has allowed other hosts for this feed at its present address. Ask an owner to change the address.";
  throw appError("forbidden", { message });
}

/**
 * Refuses an editor who wants a feed polled more often than its publisher asks for, because the server may belong to
 * somebody else. `before`: undefined for a new feed. Throws `forbidden`.
 */
export async function assertMayHurry(
  tx: Tx,
  actor: Actor,
  before: FeedRecord | undefined,
  { pollSeconds = maxPollSeconds }: FeedChange,
): Promise<void> {
  if (pollSeconds >= (before?.pollSeconds ?? maxPollSeconds)) return;
  if (await mayActAsOwner(tx, actor)) return;
  const message = "Only an owner has a feed read more often than it asks for. Ask an owner to do this.";
  throw appError("forbidden", { message });
}

/** Returns whether the feed has the override after the change, and the change does more than stop sends. */
function isForced(before: FeedRecord | undefined, { override, enabled, newItems, ...rest }: FeedChange): boolean {
  if (!(override ?? before?.override ?? false)) return false;
  const decides = [override, enabled === false ? undefined : enabled, newItems === "skip" ? undefined : newItems];
  return before === undefined || [...decides, ...Object.values(rest)].some((value) => value !== undefined);
}

import { addressOf, hasKey, type OldSubscription, subscribeWith } from "../subscription.ts";
import { register } from "../wire.ts";
import { putRecord, readRecords } from "./records.ts";
import type { Scope } from "./site.ts";

const confirmAfterMs = 7 * 86_400_000;

/**
 * A push wakes all workers of a site at once. Two random times keep them from confirming at once. The time from which
 * a worker is due varies by up to `dueSpreadMs` and is stored. At a push, a due worker waits up to `waitSpreadMs`,
 * but not longer, because browsers end long events. A worker that is ended while it waits is still due at its next
 * push.
 */
const dueSpreadMs = 2 * 86_400_000;
const waitSpreadMs = 25_000;

/**
 * The subscription that the service has. `dueAt`: when to confirm it, in ms since 1970. Absent in records of older
 * workers.
 */
type Known = OldSubscription & { dueAt?: number };

/** Stores the current subscription as the one that the service has. */
export async function recordSubscription({ registration }: Scope): Promise<void> {
  const subscription = await registration.pushManager.getSubscription();
  const dueAt = Date.now() + confirmAfterMs - Math.random() * dueSpreadMs;
  if (subscription) await putRecord("subscription", "", { ...addressOf(subscription), dueAt });
}

/**
 * Returns the service's subscription as `known` and the browser's as `now`, if the service has to be told. Otherwise
 * returns undefined.
 */
async function readDue({
  registration,
}: Scope): Promise<{ known?: Known | undefined; now: PushSubscription } | undefined> {
  const [known] = await readRecords<Known>("subscription", 1);
  const now = await registration.pushManager.getSubscription();
  const isKnown = known && known.endpoint === now?.endpoint;
  if (!now || (isKnown && Date.now() < (known.dueAt ?? known.at + confirmAfterMs))) return undefined;
  return { known, now };
}

/**
 * Confirms the subscription at the service five to seven days after the last time. This keeps readers confirmed who
 * see notifications but never visit the site. A worker without a stored subscription only stores it, because the page
 * has just registered it.
 */
export async function confirmSubscription(scope: Scope): Promise<void> {
  const due = await readDue(scope);
  if (!due) return;
  const { known, now } = due;
  const replaces = known && known.endpoint !== now.endpoint ? { replaces: withoutRecordFields(known) } : {};
  if (known) await register(scope.pressbellSite, now, { ...replaces, background: true });
  await recordSubscription(scope);
}

/** Confirms the subscription after a random wait. */
export async function confirmLater(scope: Scope): Promise<void> {
  if (!(await readDue(scope))) return;
  await new Promise((resolve) => setTimeout(resolve, Math.random() * waitSpreadMs));
  // This checks again whether a confirmation is due, because the page or another push may have confirmed it meanwhile.
  await confirmSubscription(scope);
}

/** Handles `pushsubscriptionchange`: subscribes again after the browser has ended or changed the subscription. */
export async function renewSubscription(
  scope: Scope,
  old: PushSubscription | null,
  given: PushSubscription | null,
): Promise<void> {
  const { registration, pressbellSite } = scope;
  const [known] = await readRecords<OldSubscription>("subscription", 1);
  // In a shared worker, the old subscription may be another script's.
  const isOurs = known ? !old || old.endpoint === known.endpoint : old && hasKey(old, pressbellSite.vapidPublicKey);
  if (!isOurs) return;
  const subscription = given ?? (await subscribeWith(registration, pressbellSite.vapidPublicKey));
  const replaces = known ? withoutRecordFields(known) : old ? addressOf(old) : undefined;
  await register(pressbellSite, subscription, { replaces, background: true });
  await recordSubscription(scope);
}

function withoutRecordFields({ endpoint, auth }: OldSubscription): OldSubscription {
  return { endpoint, auth };
}

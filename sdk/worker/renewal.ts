import { addressOf, hasKey, type OldSubscription, subscribeWith } from "../subscription.ts";
import { register } from "../wire.ts";
import { putRecord, readRecords } from "./records.ts";
import type { Scope } from "./site.ts";

const confirmAfterMs = 7 * 86_400_000;

/** Notes the subscription that the service knows now. */
export async function noteSubscription({ registration }: Scope): Promise<void> {
  const subscription = await registration.pushManager.getSubscription();
  if (subscription) await putRecord("subscription", "", addressOf(subscription));
}

/**
 * Tells the service that the subscription is still there, when it was not told for a week: readers who see nudges and
 * never come to the site stay confirmed. A worker that knows nothing yet was told by the page just now.
 */
export async function confirmSubscription(scope: Scope): Promise<void> {
  const [known] = await readRecords<OldSubscription>("subscription", 1);
  const subscription = await scope.registration.pushManager.getSubscription();
  if (!subscription) return;
  const isSame = known?.endpoint === subscription.endpoint;
  if (isSame && Date.now() - known.at < confirmAfterMs) return;
  if (known) await register(scope.pressbellSite, subscription, isSame ? {} : { replaces: addressIn(known) });
  await noteSubscription(scope);
}

/** The browser ended a subscription, or gave it another address: subscribes anew in its place. */
export async function renewSubscription(
  scope: Scope,
  old: PushSubscription | null,
  given: PushSubscription | null,
): Promise<void> {
  const { registration, pressbellSite } = scope;
  const [known] = await readRecords<OldSubscription>("subscription", 1);
  // In a worker that is shared it may be another script's.
  const isOurs = known ? !old || old.endpoint === known.endpoint : old && hasKey(old, pressbellSite.vapidPublicKey);
  if (!isOurs) return;
  const subscription = given ?? (await subscribeWith(registration, pressbellSite.vapidPublicKey));
  const replaces = known ? addressIn(known) : old ? addressOf(old) : undefined;
  await register(pressbellSite, subscription, { replaces });
  await noteSubscription(scope);
}

function addressIn({ endpoint, auth }: OldSubscription): OldSubscription {
  return { endpoint, auth };
}

import { addressOf, hasKey, type OldSubscription, subscribeWith } from "../subscription.ts";
import { register } from "../wire.ts";
import { putRecord, readRecords } from "./records.ts";
import type { Scope } from "./site.ts";

const confirmAfterMs = 7 * 86_400_000;

/** Stores the current subscription as the one that the service has. */
export async function recordSubscription({ registration }: Scope): Promise<void> {
  const subscription = await registration.pushManager.getSubscription();
  if (subscription) await putRecord("subscription", "", addressOf(subscription));
}

/**
 * Confirms the subscription at the service, at most once a week: so readers who see nudges but never visit the site stay
 * confirmed. A worker without a stored subscription only stores it: the page has just registered it.
 */
export async function confirmSubscription(scope: Scope): Promise<void> {
  const [known] = await readRecords<OldSubscription>("subscription", 1);
  const subscription = await scope.registration.pushManager.getSubscription();
  if (!subscription) return;
  const isSame = known?.endpoint === subscription.endpoint;
  if (isSame && Date.now() - known.at < confirmAfterMs) return;
  if (known) await register(scope.pressbellSite, subscription, isSame ? {} : { replaces: withoutRecordFields(known) });
  await recordSubscription(scope);
}

/** Handles `pushsubscriptionchange`: subscribes again after the browser has ended or changed the subscription. */
export async function renewSubscription(
  scope: Scope,
  old: PushSubscription | null,
  given: PushSubscription | null,
): Promise<void> {
  const { registration, pressbellSite } = scope;
  const [known] = await readRecords<OldSubscription>("subscription", 1);
  // In a shared worker it may be another script's.
  const isOurs = known ? !old || old.endpoint === known.endpoint : old && hasKey(old, pressbellSite.vapidPublicKey);
  if (!isOurs) return;
  const subscription = given ?? (await subscribeWith(registration, pressbellSite.vapidPublicKey));
  const replaces = known ? withoutRecordFields(known) : old ? addressOf(old) : undefined;
  await register(pressbellSite, subscription, { replaces });
  await recordSubscription(scope);
}

function withoutRecordFields({ endpoint, auth }: OldSubscription): OldSubscription {
  return { endpoint, auth };
}

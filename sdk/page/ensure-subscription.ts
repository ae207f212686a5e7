import { addressOf, hasKey, subscribeWith } from "../subscription.ts";
import { type Registered, register } from "../wire.ts";
import type { PageContext } from "./context.ts";
import { type Failure, withReason } from "./failure.ts";
import { isOurs } from "./state.ts";
import { registerWorker } from "./worker-registration.ts";

const pushLimitMs = 30_000;

export type SubscribeOptions = { topicIds?: string[] | undefined; testToken?: string | undefined; takenOver?: boolean };

/** Ensures that the browser has a subscription with the site's key and that the service has it. Throws a Failure. */
export async function ensureSubscription(context: PageContext, options: SubscribeOptions = {}): Promise<Registered> {
  const { vapidPublicKey } = await context.settings();
  const registration = await registerWorker(context.snippet);
  await endOtherKey(context, await registration.pushManager.getSubscription(), vapidPublicKey);
  const subscription = await withReason("push", subscribeWith(registration, vapidPublicKey), pushLimitMs);
  const registered = await registerAtService(context, subscription, options);
  // The worker stores the subscription, which it may have to replace later. `update`: no page is in its scope, so the
  // browser would not check for a new version by itself.
  registration.active?.postMessage({ pressbell: "confirmed" });
  registration.update().catch(() => {});
  return registered;
}

/** Ends our own older subscription with another key. Throws if it is another script's, which stays. */
async function endOtherKey(context: PageContext, old: PushSubscription | null, vapidPublicKey: string): Promise<void> {
  if (!old || hasKey(old, vapidPublicKey)) return;
  const theirs = !isOurs(context, old);
  if (theirs && !(await context.settings()).formerWorkers) {
    throw { reason: "other_key", message: "another script's subscription is in the way" } satisfies Failure;
  }
  // Stored first: if subscribing fails, the next visit still tells the service what it replaces.
  if (!theirs) context.memory.write({ subscription: addressOf(old) });
  await withReason("other_key", old.unsubscribe());
}

async function registerAtService(
  { snippet, memory }: PageContext,
  subscription: PushSubscription,
  { topicIds, testToken, takenOver }: SubscribeOptions,
): Promise<Registered> {
  const { subscription: known, wanted, saidYes } = memory.read();
  const address = addressOf(subscription);
  const replaces = known?.endpoint === address.endpoint ? undefined : known;
  const consent = saidYes === true ? undefined : saidYes;
  const options = { topicIds: topicIds ?? wanted, replaces, testToken, takenOver: takenOver || undefined, consent };
  const registered = await withReason("service", register(snippet, subscription, options));
  const chosen = registered.topicIds;
  const settled = { wanted: undefined, saidYes: undefined, left: false };
  memory.write({ subscription: address, confirmedAt: Date.now(), chosen, ...settled });
  return registered;
}

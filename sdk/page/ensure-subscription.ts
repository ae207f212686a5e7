import { addressOf, hasKey, subscribeWith } from "../subscription.ts";
import { type Registered, register } from "../wire.ts";
import type { PageContext } from "./context.ts";
import { type Failure, withReason } from "./failure.ts";
import { isOurs } from "./state.ts";
import { registerWorker } from "./worker-registration.ts";

const pushLimitMs = 30_000;

export type SubscribeOptions = {
  topicIds?: string[] | undefined;
  testToken?: string | undefined;
  migrated?: boolean | undefined;
};

/** Ensures that the browser has a subscription with the site's key and that the service has it. Throws a Failure. */
export async function ensureSubscription(context: PageContext, options: SubscribeOptions = {}): Promise<Registered> {
  const { vapidPublicKey } = await context.settings();
  const registration = await registerWorker(context.snippet);
  const old = await registration.pushManager.getSubscription();
  const hadOurKey = old && hasKey(old, vapidPublicKey);
  if (old && !hadOurKey) await endOtherKey(context, old, options);
  // The next visit would register the subscription of a test device's link as a reader's. If the service refuses the
  // link, the subscription is ended at once. The mark `forTest` covers a page that is closed before that.
  const isForTest = options.testToken && !hadOurKey;
  if (isForTest) context.memory.write({ forTest: true });
  const subscription = await withReason("push", subscribeWith(registration, vapidPublicKey), pushLimitMs);
  const registered = await registerAtService(context, subscription, options).catch(async (error) => {
    if (isForTest) await subscription.unsubscribe().catch(() => {});
    throw error;
  });
  // The worker stores the subscription, because it may have to replace it later. `update` is needed because no page
  // is in the worker's scope, so the browser would not check for a new version by itself.
  registration.active?.postMessage({ pressbell: "confirmed" });
  registration.update().catch(() => {});
  return registered;
}

/**
 * Ends a subscription with another key: our own older one, or one of another push service whose readers the site
 * migrates. Throws a Failure if it is another script's subscription and the site migrates no readers.
 */
async function endOtherKey(context: PageContext, old: PushSubscription, { migrated }: SubscribeOptions): Promise<void> {
  const theirs = !isOurs(context, old);
  // The other script's subscription stays.
  if (theirs && !(await context.settings()).formerWorkers) {
    throw { reason: "other_key", message: "another script's subscription is in the way" } satisfies Failure;
  }
  // Stored first: if subscribing fails, the next visit still tells the service which subscription is replaced, or
  // that the reader was migrated.
  context.memory.write(theirs ? { migrated } : { subscription: addressOf(old) });
  await withReason("other_key", old.unsubscribe()).catch((error) => {
    // The other subscription is still there. The next visit finds it, unless the reader unsubscribes there first.
    context.memory.write({ migrated: undefined });
    throw error;
  });
}

async function registerAtService(
  { snippet, memory }: PageContext,
  subscription: PushSubscription,
  { topicIds, testToken, migrated }: SubscribeOptions,
): Promise<Registered> {
  const { subscription: known, wanted, saidYes } = memory.read();
  const address = addressOf(subscription);
  const replaces = known?.endpoint === address.endpoint ? undefined : known;
  // Opening a test device's link counts as consent.
  const yes = testToken ? "page" : saidYes;
  const consent = yes === true ? undefined : yes;
  const options = {
    topicIds: topicIds ?? wanted,
    replaces,
    testToken,
    migrated: migrated || undefined,
    consent,
    // With declarative Web Push, the browser shows notifications itself, so no worker can report the display.
    reportsDisplays: !("pushManager" in window),
  };
  const registered = await withReason("service", register(snippet, subscription, options));
  const chosen = registered.topicIds;
  const settled = { wanted: undefined, saidYes: undefined, migrated: undefined, forTest: undefined, left: false };
  memory.write({ subscription: address, confirmedAt: Date.now(), chosen, ...settled });
  return registered;
}

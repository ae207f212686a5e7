import { addressOf, hasKey, subscribeWith } from "../subscription.ts";
import { type Registered, register } from "../wire.ts";
import { type Failure, step } from "./failure.ts";
import { isOurs } from "./state.ts";
import { registerWorker } from "./worker-registration.ts";
import type { World } from "./world.ts";

const pushLimitMs = 30_000;

export type HoldOptions = { topicIds?: string[] | undefined; testToken?: string | undefined };

/** Sees to it that the browser has a subscription with the site's key and that the service knows it. Throws a Failure. */
export async function holdSubscription(world: World, options: HoldOptions = {}): Promise<Registered> {
  const { vapidPublicKey } = await world.settings();
  const registration = await registerWorker(world.snippet);
  await makeRoom(world, await registration.pushManager.getSubscription(), vapidPublicKey);
  const subscription = await step("push", subscribeWith(registration, vapidPublicKey), pushLimitMs);
  const registered = await tellService(world, subscription, options);
  // The worker notes what it may have to replace. And with no page in its scope, nobody else looks for a new version.
  registration.active?.postMessage({ pressbell: "confirmed" });
  registration.update().catch(() => {});
  return registered;
}

/** A subscription with another key: an older one of ours is given up, somebody else's is let alone. */
async function makeRoom(world: World, old: PushSubscription | null, vapidPublicKey: string): Promise<void> {
  if (!old || hasKey(old, vapidPublicKey)) return;
  if (!isOurs(world, old)) {
    throw { reason: "other_key", message: "another script's subscription is in the way" } satisfies Failure;
  }
  // Before it goes: should the new one fail now, the next visit still says what it replaces.
  world.memory.write({ subscription: addressOf(old) });
  await step("other_key", old.unsubscribe());
}

async function tellService(
  { snippet, memory }: World,
  subscription: PushSubscription,
  { topicIds, testToken }: HoldOptions,
): Promise<Registered> {
  const { subscription: known, wanted } = memory.read();
  const address = addressOf(subscription);
  const replaces = known?.endpoint === address.endpoint ? undefined : known;
  const options = { topicIds: topicIds ?? wanted, replaces, testToken };
  const registered = await step("service", register(snippet, subscription, options));
  const chosen = registered.topicIds;
  memory.write({ subscription: address, confirmedAt: Date.now(), chosen, wanted: undefined, left: false });
  return registered;
}

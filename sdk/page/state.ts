import type { State } from "./api.ts";
import { step } from "./failure.ts";
import { whyImpossible } from "./support.ts";
import { findWorker } from "./worker-registration.ts";
import type { World } from "./world.ts";

/** What the browser is to the site now. Where it does not say whether it is subscribed, it is not. */
export async function readState(world: World): Promise<State> {
  const impossible = whyImpossible();
  if (impossible) return impossible;
  if (Notification.permission === "denied") return "denied";
  const subscription = await findSubscription(world).catch(() => null);
  return subscription && isOurs(world, subscription) ? "subscribed" : "unsubscribed";
}

/** The subscription that our worker holds, whoever's it is. */
export async function findSubscription({ snippet }: World): Promise<PushSubscription | null> {
  const registration = await findWorker(snippet);
  return registration ? step("push", registration.pushManager.getSubscription()) : null;
}

/** In a worker that is shared, only the subscription that we remember is ours. */
export function isOurs({ snippet, memory }: World, { endpoint }: PushSubscription): boolean {
  return !snippet.sharesWorker || endpoint === memory.read().subscription?.endpoint;
}

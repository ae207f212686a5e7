import { unregister } from "../wire.ts";
import { arrivalToken } from "./arrival.ts";
import { step } from "./failure.ts";
import { findSubscription, isOurs } from "./state.ts";
import type { World } from "./world.ts";

/** Ends the subscription, in the browser and at the service, and remembers that the reader wanted it so. */
export async function leave(world: World): Promise<void> {
  const subscription = await findSubscription(world);
  if (subscription && isOurs(world, subscription)) await end(world, subscription);
  world.memory.write({ subscription: undefined, chosen: undefined, wanted: undefined, left: true });
  world.emit("unsubscribed");
}

/** One of the two is enough: a subscription that the browser gave up is gone for the service at the next send. */
async function end({ snippet }: World, subscription: PushSubscription): Promise<void> {
  const told = step("service", unregister(snippet, subscription, arrivalToken()));
  const ended = step("push", subscription.unsubscribe());
  const outcomes = await Promise.allSettled([told, ended]);
  if (outcomes.every(({ status }) => status === "rejected")) await told;
}

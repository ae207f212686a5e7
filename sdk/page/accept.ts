import type { Registered } from "../wire.ts";
import { step } from "./failure.ts";
import { type HoldOptions, holdSubscription } from "./hold.ts";
import { whyImpossible } from "./support.ts";
import type { World } from "./world.ts";

/** Readers take their time with the browser's question; and some browsers ask so quietly that it is never seen. */
const permissionLimitMs = 120_000;
const dayMs = 86_400_000;

/**
 * The reader wants nudges: asks for the browser's permission and subscribes. Undefined where that is not possible or
 * not allowed, which an event tells. Browsers ask only inside a click, so nothing is awaited before.
 */
export async function accept(world: World, options?: HoldOptions): Promise<Registered | undefined> {
  const impossible = whyImpossible();
  if (impossible) return void world.emit(impossible);
  const permission = await step("permission", Notification.requestPermission(), permissionLimitMs);
  if (permission === "denied") return void world.emit("denied");
  if (permission === "default") return void (await decline(world));
  const registered = await holdSubscription(world, options);
  world.emit("subscribed", registered);
  return registered;
}

/** The reader does not want nudges now: not asked again for the days that the site sets. */
export async function decline({ memory, settings, emit }: World): Promise<void> {
  const { prompt } = await settings();
  memory.write({ askAgainAt: Date.now() + prompt.repeatDays * dayMs });
  emit("dismissed");
}

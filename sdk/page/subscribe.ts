import type { Registered } from "../wire.ts";
import type { PageContext } from "./context.ts";
import { ensureSubscription, type SubscribeOptions } from "./ensure-subscription.ts";
import { withReason } from "./failure.ts";
import { whyUnsupported } from "./state.ts";

/** Readers may take long to answer the browser's prompt, and some browsers ask so quietly that it is never seen. */
const permissionLimitMs = 120_000;
const dayMs = 86_400_000;

/**
 * Asks for the browser's permission and subscribes. Returns undefined if push is unsupported or not allowed, after an
 * event that says so. Browsers ask only during a click, so nothing is awaited before.
 */
export async function subscribe(context: PageContext, options?: SubscribeOptions): Promise<Registered | undefined> {
  const unsupported = whyUnsupported();
  if (unsupported) return void context.emit(unsupported);
  const permission = await withReason("permission", Notification.requestPermission(), permissionLimitMs);
  if (permission === "denied") return void context.emit("denied");
  if (permission === "default") return void (await postpone(context));
  const registered = await ensureSubscription(context, options);
  context.emit("subscribed", registered);
  return registered;
}

/** The reader said "later": the page does not ask again for the days that the site sets. */
export async function postpone({ memory, settings, emit }: PageContext): Promise<void> {
  const { prompt } = await settings();
  memory.write({ askAgainAt: Date.now() + prompt.repeatDays * dayMs });
  emit("dismissed");
}

import { count, type Registered } from "../wire.ts";
import type { PageContext } from "./context.ts";
import { ensureSubscription, type SubscribeOptions } from "./ensure-subscription.ts";
import { withReason } from "./failure.ts";
import { whyUnsupported } from "./state.ts";

/** Readers may take long to answer the browser's prompt, and some browsers ask so quietly that it is never seen. */
const permissionLimitMs = 120_000;
export const dayMs = 86_400_000;

/**
 * Asks for the browser's permission and subscribes. Returns undefined if push is unsupported or not allowed, after an
 * event that says so. `consent`: the version of the prompt to which the reader said yes. Browsers ask only during a click, so nothing is awaited before.
 */
export async function subscribe(
  context: PageContext,
  options?: SubscribeOptions,
  consent = "page",
): Promise<Registered | undefined> {
  const unsupported = whyUnsupported();
  if (unsupported) return void context.emit(unsupported);
  recordYes(context, consent);
  const isAsked = Notification.permission === "default";
  if (isAsked) count(context.snippet, "asked");
  try {
    const permission = await withReason("permission", askBrowser(context), permissionLimitMs);
    if (isAsked && permission !== "default") count(context.snippet, permission);
    if (permission !== "granted") return void context.emit(permission === "denied" ? permission : "dismissed");
    const registered = await ensureSubscription(context, options);
    context.emit("subscribed", registered);
    return registered;
  } finally {
    context.answered = undefined;
  }
}

/** Resolves with the answer to the browser's question, or with what the reader sets in its controls meanwhile. */
function askBrowser(context: PageContext): Promise<NotificationPermission> {
  return new Promise((resolve, reject) => {
    context.answered = () => resolve(Notification.permission);
    Notification.requestPermission().then(resolve, reject);
  });
}

/**
 * Records that the reader wants nudges, before the browser asks: its question may end without an answer, and the reader
 * allow it later in the browser's controls. If it stays open, the soft prompt rests 3 days, then 6, 12, 24 and 30.
 */
function recordYes({ memory }: PageContext, consent: string): void {
  const { restDays = 3 } = memory.read();
  const askAgainAt = Date.now() + restDays * dayMs;
  memory.write({ saidYes: consent, left: false, restDays: Math.min(30, restDays * 2), askAgainAt });
}

/** The reader said "later": the page does not ask again for the days that the site sets. */
export async function postpone({ memory, settings, emit }: PageContext): Promise<void> {
  const { prompt } = await settings();
  memory.write({ askAgainAt: Date.now() + prompt.repeatDays * dayMs });
  emit("dismissed");
}

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
 * event that says so. `consent`: the version of the prompt to which the reader said yes. Browsers ask only during a
 * click, so nothing is awaited before.
 */
export async function subscribe(
  context: PageContext,
  options?: SubscribeOptions,
  consent = "page",
): Promise<Registered | undefined> {
  const unsupported = whyUnsupported(context);
  if (unsupported) return void context.emit(unsupported);
  // A test device is no reader: without its token, a later visit would make it one.
  if (!options?.testToken) recordYes(context, consent);
  if (Notification.permission === "default") {
    count(context.snippet, "asked");
    context.memory.write({ asked: true });
  }
  try {
    const permission = await withReason("permission", askBrowser(context), permissionLimitMs);
    countAnswer(context);
    if (permission !== "granted") return void context.emit(permission === "denied" ? permission : "dismissed");
    const registered = await context.inTurn(() => ensureSubscription(context, options));
    context.emit("subscribed", registered);
    return registered;
  } finally {
    context.answered = undefined;
  }
}

/** Resolves with the answer to the browser's question, or with what the reader sets in its controls meanwhile. */
function askBrowser(context: PageContext): Promise<NotificationPermission> {
  return new Promise((resolve, reject) => {
    context.answered = (permission = Notification.permission) => resolve(permission);
    Notification.requestPermission().then(resolve, reject);
  });
}

/**
 * Counts the browser's answer to a question of ours, once. It may come after `subscribe` has ended, or while no page is
 * open: some browsers leave their question open, and readers answer in the browser's controls.
 */
export function countAnswer({ snippet, memory }: PageContext): void {
  const { permission } = Notification;
  const { asked, saidYes } = memory.read();
  if (permission === "default" || !asked) return;
  memory.write({ asked: undefined });
  count(snippet, permission, saidYes);
}

/**
 * Records that the reader wants notifications, before the browser asks: its question may end without an answer, and the
 * reader allow it later in the browser's controls. If it stays open, the soft prompt rests 3 days, then 6, 12, 24 and
 * 30.
 */
function recordYes({ memory }: PageContext, consent: string): void {
  const { restDays = 3 } = memory.read();
  const askAgainAt = Date.now() + restDays * dayMs;
  memory.write({ saidYes: consent, left: false, restDays: Math.min(30, restDays * 2), askAgainAt });
}

/**
 * The reader said "later": the page does not ask again for the days that the site sets. That withdraws an earlier yes,
 * also one whose question the browser still shows: to allow it then does not subscribe them.
 */
export async function postpone(context: PageContext): Promise<void> {
  const { prompt } = await context.settings();
  context.memory.write({ saidYes: undefined, askAgainAt: Date.now() + prompt.repeatDays * dayMs });
  // `subscribe` then says that it was dismissed.
  if (context.answered) context.answered("default");
  else context.emit("dismissed");
}

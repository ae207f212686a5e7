import { count, type Registered } from "../wire.ts";
import type { PageContext } from "./context.ts";
import { ensureSubscription, type SubscribeOptions } from "./ensure-subscription.ts";
import { withReason } from "./failure.ts";
import { whyUnsupported } from "./state.ts";

/**
 * The time limit for the browser's prompt. Readers may take long to answer, and some browsers ask so quietly that
 * readers never see it.
 */
const permissionLimitMs = 120_000;
export const dayMs = 86_400_000;

/**
 * Asks for the browser's permission and subscribes. If push is unsupported or not allowed, emits an event that says
 * so and returns undefined. `consent`: the version of the prompt to which the reader said yes. Browsers ask only
 * during a click, so nothing is awaited before the question.
 */
export async function subscribe(
  context: PageContext,
  options?: SubscribeOptions,
  consent = "page",
): Promise<Registered | undefined> {
  const unsupported = whyUnsupported(context);
  if (unsupported) return void context.emit(unsupported);
  // A test device is not a reader. With a recorded yes, a later visit without the token would register it as a reader.
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

/**
 * Resolves with the answer to the browser's question, or with what the reader sets in the browser's controls
 * meanwhile.
 */
function askBrowser(context: PageContext): Promise<NotificationPermission> {
  return new Promise((resolve, reject) => {
    context.answered = (permission = Notification.permission) => resolve(permission);
    Notification.requestPermission().then(resolve, reject);
  });
}

/**
 * Counts the browser's answer to our question, once. The answer may come after `subscribe` has ended, or while no
 * page is open, because some browsers leave the question open and readers answer in the browser's controls.
 */
export function countAnswer({ snippet, memory }: PageContext): void {
  const { permission } = Notification;
  const { asked, saidYes } = memory.read();
  if (permission === "default" || !asked) return;
  memory.write({ asked: undefined });
  count(snippet, permission, saidYes);
}

/**
 * Records that the reader wants notifications. This happens before the browser asks, because the question may end
 * without an answer, and the reader may allow notifications later in the browser's controls. If the question stays
 * open, the soft prompt rests 3 days, then 6, 12, 24 and 30.
 */
function recordYes({ memory }: PageContext, consent: string): void {
  const { restDays = 3 } = memory.read();
  const askAgainAt = Date.now() + restDays * dayMs;
  memory.write({ saidYes: consent, left: false, restDays: Math.min(30, restDays * 2), askAgainAt });
}

/**
 * Records that the reader said "later": the page does not ask again for the days that the site sets. This withdraws
 * an earlier yes. If the browser still shows its question for that yes, allowing it does not subscribe the reader.
 */
export async function postpone(context: PageContext): Promise<void> {
  const { prompt } = await context.settings();
  context.memory.write({ saidYes: undefined, askAgainAt: Date.now() + prompt.repeatDays * dayMs });
  // `subscribe` then emits `dismissed`.
  if (context.answered) context.answered("default");
  else context.emit("dismissed");
}

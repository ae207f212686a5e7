import { hasKey } from "../subscription.ts";
import { count, type Registered } from "../wire.ts";
import { testToken } from "./arrival.ts";
import { attempt, type PageContext } from "./context.ts";
import { ensureSubscription } from "./ensure-subscription.ts";
import { findFormer, retire } from "./migrate-subscriptions.ts";
import { mayPrompt, showSoftPrompt } from "./soft-prompt.ts";
import { findSubscription, isOurs, readState, whyUnsupported } from "./state.ts";
import { countAnswer, dayMs } from "./subscribe.ts";
import { promptTestDevice } from "./test-device.ts";

/** The share of visits that are reported. The service multiplies. */
const reportedVisits = 0.1;

/**
 * Handles a visit: emits the state, confirms or renews the subscription, and else shows the soft prompt after its
 * delay.
 */
export async function handleVisit(context: PageContext): Promise<void> {
  const { emit } = context;
  const state = await readState(context);
  emit("ready", { state });
  if (isArrival() && Math.random() < reportedVisits) countVisit(context);
  if (state === "unsupported" || state === "install" || state === "denied") emit(state);
  watchPermission(context).catch(() => {});
  const token = testToken();
  if (token && top === self) return promptTestDevice(context, token);
  const renewed = await refresh(context);
  if (renewed && state !== "subscribed") emit("subscribed", renewed);
  if (renewed || !(await mayPrompt(context))) return;
  const { prompt } = await context.settings();
  if (prompt.mode === "soft") setTimeout(promptLater, prompt.delaySeconds * 1_000, context);
}

/** Whether the page is the first of a visit: it was not reached from another page of the site, and is in no frame. */
function isArrival(): boolean {
  return top === self && !document.referrer.startsWith(`${location.origin}/`);
}

/** Counts the visit when the reader leaves the page, or turns to it: until then the prompt needs the network. */
function countVisit({ snippet }: PageContext): void {
  document.addEventListener("visibilitychange", () => count(snippet, "visit"), { once: true });
}

/**
 * Follows the permission, also what it has become since the last visit: readers answer questions that do not block, and
 * change their minds, in the browser's own controls.
 */
async function watchPermission(context: PageContext): Promise<void> {
  countAnswer(context);
  const permission = await navigator.permissions.query({ name: "notifications" });
  permission.onchange = async () => {
    countAnswer(context);
    if (context.answered) return context.answered();
    if (Notification.permission === "denied") return context.emit("denied");
    const renewed = await attempt(context, refresh(context));
    if (renewed) context.emit("subscribed", renewed);
  };
}

/** Checks the state again: it may have changed during the delay. A page that nobody sees waits until it is looked at. */
async function promptLater(context: PageContext): Promise<void> {
  if (document.hidden) {
    document.addEventListener("visibilitychange", () => promptLater(context), { once: true });
    return;
  }
  if (await mayPrompt(context)) await attempt(context, showSoftPrompt(context));
}

function refresh(context: PageContext): Promise<Registered | undefined> {
  return context.inTurn(() => refreshAlone(context));
}

/**
 * Confirms the subscription once a day. Renews it if the browser has lost it or the site's key has changed. Subscribes
 * a reader who wanted it before the browser allowed it, and one of another push service where the site wants that, or
 * whose migration has failed halfway. Leaves it to `subscribe` while that is at work.
 */
async function refreshAlone(context: PageContext): Promise<Registered | undefined> {
  const { subscription: known, saidYes, confirmedAt = 0, ...stored } = context.memory.read();
  if (stored.left || context.answered || whyUnsupported(context) || Notification.permission !== "granted") return;
  const subscription = await findSubscription(context);
  const former = await findFormer(context);
  const migrated = stored.migrated || former.length > 0;
  if (!subscription && !known && !saidYes && !migrated) return;
  const hasOurKey = subscription && hasKey(subscription, (await context.settings()).vapidPublicKey);
  if (subscription && !hasOurKey && !known && !isOurs(context, subscription) && !migrated) return;
  if (hasOurKey && stored.forTest && !known && !saidYes) return void (await subscription.unsubscribe());
  const isConfirmed = subscription?.endpoint === known?.endpoint && Date.now() - confirmedAt < dayMs && !stored.wanted;
  const registered = hasOurKey && isConfirmed ? undefined : await ensureSubscription(context, { migrated });
  await retire(context, former);
  return registered;
}

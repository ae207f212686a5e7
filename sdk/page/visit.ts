import { hasKey } from "../subscription.ts";
import { count, type Registered } from "../wire.ts";
import { testToken } from "./arrival.ts";
import { attempt, type PageContext } from "./context.ts";
import { ensureSubscription } from "./ensure-subscription.ts";
import { loadPart } from "./load-part.ts";
import type { Settings } from "./settings.ts";
import { mayPrompt, showSoftPrompt } from "./soft-prompt.ts";
import { findSubscription, isOurs, readState, whyUnsupported } from "./state.ts";
import { countAnswer, dayMs } from "./subscribe.ts";
import { promptTestDevice } from "./test-device.ts";

/** The share of visits that are reported. The service scales the counts up. */
const reportedVisits = 0.1;

/**
 * Handles a visit. Emits the state, and confirms or renews the subscription. Without a subscription, shows the soft
 * prompt when it is due.
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
  if (!renewed && top === self && (await mayPrompt(context))) attempt(context, promptLater(context));
}

/**
 * Shows the soft prompt when the site's rule says so. If the site waits for the reader's consent, stores nothing and
 * migrates no reader before it. Loads the code that watches the rule only on a page that may ask, to keep first
 * visits light. Checks the state again before it asks, because the state may have changed.
 */
async function promptLater(context: PageContext): Promise<void> {
  const { prompt } = await context.settings();
  if (prompt.consent) {
    await (await loadPart(context, "prompt")).consentFrom(prompt.consent);
    prompt.consent = null;
    const renewed = await refresh(context);
    if (renewed) return context.emit("subscribed", renewed);
  }
  if (prompt.mode !== "soft" || !countPage(context, prompt)) return;
  const { whenDue } = await loadPart(context, "prompt");
  whenDue(context, async () => {
    if (context.memory.keeps() && (await mayPrompt(context))) await attempt(context, showSoftPrompt(context));
  });
}

/**
 * Counts the page, and the visit if the page begins one, up to the numbers that the site waits for. Returns whether
 * both numbers are reached.
 */
function countPage({ memory }: PageContext, prompt: Settings["prompt"]): boolean {
  const { pages = 0, visits = 0 } = memory.read();
  const seen = { pages: pages + 1, visits: isArrival() ? visits + 1 : visits || 1 };
  if (pages < prompt.untilPage || visits < prompt.untilVisit) memory.write(seen);
  return seen.pages >= prompt.fromPage && seen.visits >= prompt.fromVisit;
}

/**
 * Returns whether the page is the first of a visit: it was not reached from another page of the site, and is not in a
 * frame.
 */
function isArrival(): boolean {
  return top === self && !document.referrer.startsWith(`${location.origin}/`);
}

/**
 * Counts the visit when the page is hidden or shown for the first time, so that the prompt has the network until
 * then.
 */
function countVisit({ snippet }: PageContext): void {
  document.addEventListener("visibilitychange", () => count(snippet, "visit"), { once: true });
}

/**
 * Follows changes of the permission, also those since the last visit. Readers answer some questions later, and change
 * their minds, in the browser's own controls.
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

function refresh(context: PageContext): Promise<Registered | undefined> {
  return context.inTurn(() => refreshAlone(context));
}

/**
 * Confirms the subscription once a day (UTC), so that the service can count days with a visit. Renews the
 * subscription if the browser has lost it or the site's key has changed. Subscribes a reader who said yes before the
 * browser allowed it. Migrates a reader of another push service if the site wants that, or if an earlier migration
 * failed halfway. Does nothing while `subscribe` runs.
 */
async function refreshAlone(context: PageContext): Promise<Registered | undefined> {
  const { subscription: known, confirmedAt, saidYes, ...stored } = context.memory.read();
  if (stored.left || context.answered || whyUnsupported(context) || Notification.permission !== "granted") return;
  const subscription = await findSubscription(context);
  const { formerWorkers, prompt } = await context.settings();
  const migration = formerWorkers && !prompt.consent ? await loadPart(context, "migration") : undefined;
  const former = (await migration?.findFormer(context)) ?? [];
  const migrated = stored.migrated || former.length > 0;
  if (!subscription && !known && !saidYes && !migrated) return;
  const hasOurKey = subscription && hasKey(subscription, (await context.settings()).vapidPublicKey);
  if (subscription && !hasOurKey && !known && !isOurs(context, subscription) && !migrated) return;
  if (hasOurKey && stored.forTest && !known && !saidYes) return void (await subscription.unsubscribe());
  // Without a `confirmedAt`, the comparison is false.
  const isConfirmed =
    subscription?.endpoint === known?.endpoint && Date.now() - confirmedAt! <= Date.now() % dayMs && !stored.wanted;
  const registered = hasOurKey && isConfirmed ? undefined : await ensureSubscription(context, { migrated });
  await migration?.retire(context, former);
  return registered;
}

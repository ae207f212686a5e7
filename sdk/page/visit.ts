import { hasKey } from "../subscription.ts";
import type { Registered } from "../wire.ts";
import { testToken } from "./arrival.ts";
import { attempt, type PageContext } from "./context.ts";
import { ensureSubscription } from "./ensure-subscription.ts";
import { mayPrompt, showSoftPrompt } from "./soft-prompt.ts";
import { findSubscription, isOurs, readState, whyUnsupported } from "./state.ts";
import { promptTestDevice } from "./test-device.ts";

const dayMs = 86_400_000;

/** Handles a visit: emits the state, confirms or renews the subscription, and else shows the soft prompt after its delay. */
export async function handleVisit(context: PageContext): Promise<void> {
  const { emit } = context;
  const state = await readState(context);
  emit("ready", { state });
  if (state === "unsupported" || state === "install" || state === "denied") emit(state);
  const token = testToken();
  if (token) return promptTestDevice(context, token);
  const renewed = await refresh(context);
  if (renewed && state !== "subscribed") emit("subscribed", renewed);
  if (renewed || !mayPrompt(context, state)) return;
  const { prompt } = await context.settings();
  if (prompt.mode === "soft") setTimeout(promptLater, prompt.delaySeconds * 1_000, context);
}

/** Checks the state again: it may have changed during the delay. */
async function promptLater(context: PageContext): Promise<void> {
  if (mayPrompt(context, await readState(context))) await attempt(context, showSoftPrompt(context));
}

/** Confirms the subscription once a day. Renews it if the browser has lost it or the site's key has changed. */
async function refresh(context: PageContext): Promise<Registered | undefined> {
  const { subscription: known, wanted, left, confirmedAt = 0 } = context.memory.read();
  if (left || whyUnsupported() || Notification.permission !== "granted") return;
  const subscription = await findSubscription(context);
  if (!subscription && !known) return;
  const hasOurKey = subscription && hasKey(subscription, (await context.settings()).vapidPublicKey);
  if (subscription && !hasOurKey && !known && !isOurs(context, subscription)) return;
  const isConfirmed = subscription?.endpoint === known?.endpoint && Date.now() - confirmedAt < dayMs && !wanted;
  return hasOurKey && isConfirmed ? undefined : ensureSubscription(context);
}

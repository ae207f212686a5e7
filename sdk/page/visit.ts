import { hasKey } from "../subscription.ts";
import type { Registered } from "../wire.ts";
import { testToken } from "./arrival.ts";
import { ask, mayAsk } from "./ask.ts";
import { holdSubscription } from "./hold.ts";
import { findSubscription, isOurs, readState } from "./state.ts";
import { whyImpossible } from "./support.ts";
import { askTestDevice } from "./test-device.ts";
import { attempt, type World } from "./world.ts";

const dayMs = 86_400_000;

/** Looks after one visit: says what the browser is, confirms or renews what it holds, and else asks after a while. */
export async function receiveVisit(world: World): Promise<void> {
  const { emit } = world;
  const state = await readState(world);
  emit("ready", { state });
  if (state === "unsupported" || state === "install" || state === "denied") emit(state);
  const token = testToken();
  if (token) return askTestDevice(world, token);
  const renewed = await refresh(world);
  if (renewed && state !== "subscribed") emit("subscribed", renewed);
  if (renewed || !mayAsk(world, state)) return;
  const { prompt } = await world.settings();
  if (prompt.mode === "soft") setTimeout(askUnasked, prompt.delaySeconds * 1_000, world);
}

/** What was true when the page came need not be true any more after the delay. */
async function askUnasked(world: World): Promise<void> {
  if (mayAsk(world, await readState(world))) await attempt(world, ask(world));
}

/** What is held is confirmed once a day, and renewed where it was lost or the site's key has changed. */
async function refresh(world: World): Promise<Registered | undefined> {
  const { subscription: known, wanted, left, confirmedAt = 0 } = world.memory.read();
  if (left || whyImpossible() || Notification.permission !== "granted") return;
  const subscription = await findSubscription(world);
  if (!subscription && !known) return;
  const fits = subscription && hasKey(subscription, (await world.settings()).vapidPublicKey);
  if (subscription && !fits && !known && !isOurs(world, subscription)) return;
  const isFresh = subscription?.endpoint === known?.endpoint && Date.now() - confirmedAt < dayMs && !wanted;
  return fits && isFresh ? undefined : holdSubscription(world);
}

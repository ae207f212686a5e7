import { clicksOf } from "../wire.ts";
import { requestSync, syncTag } from "./background-sync.ts";
import { isNudgeData, type Nudge, readNudge, showNudge, shownBefore } from "./nudge.ts";
import { openArticle } from "./open-article.ts";
import { report, sendStored } from "./receipts.ts";
import { confirmLater, confirmSubscription, recordSubscription, renewSubscription } from "./renewal.ts";
import type { Scope } from "./site.ts";

declare const self: Scope;

/**
 * Adds the worker's listeners. Each handles only our own events, and hides them from other scripts of a shared worker.
 */
function listen(scope: Scope): void {
  // Tokens of notifications that were closed by a click or by a correction. Firefox fires `notificationclose` for
  // them too, but they must not count as dismissed.
  const closed = new Set<string>();
  scope.addEventListener("push", (event) => {
    const nudge = readNudge(event.data);
    if (!nudge) return;
    event.stopImmediatePropagation();
    event.waitUntil(receive(scope, nudge, closed));
  });

  scope.addEventListener("notificationclick", (event) => {
    const { notification } = event;
    const { data } = notification;
    if (!isNudgeData(data)) return;
    event.stopImmediatePropagation();
    closed.add(data.token);
    notification.close();
    const address = data.buttons?.[Number(event.action) - 1];
    const clicks = clicksOf(data.token, address && event.action);
    event.waitUntil(
      Promise.all([
        openArticle(scope, address ?? data.navigate, data.counts === "together"),
        ...clicks.map((click) => report(scope, click)),
      ]),
    );
  });
  scope.addEventListener("notificationclose", (event) => {
    const { data } = event.notification;
    if (!isNudgeData(data)) return;
    event.stopImmediatePropagation();
    if (!closed.has(data.token)) event.waitUntil(report(scope, { token: data.token, kind: "dismissed" }));
  });

  scope.addEventListener("pushsubscriptionchange", (event) => {
    const renewed = renewSubscription(scope, event.oldSubscription, event.newSubscription);
    event.waitUntil(renewed.catch(() => requestSync(scope)));
  });
  scope.addEventListener("message", (event) => {
    if (event.data?.pressbell === "confirmed") event.waitUntil(recordSubscription(scope));
  });
  scope.addEventListener("activate", (event) => event.waitUntil(sendStored(scope)));
  scope.addEventListener("sync", (event) => {
    if (event.tag === syncTag) event.waitUntil(Promise.all([sendStored(scope), confirmSubscription(scope)]));
  });
}

/** The notification that is being shown, by its tag. */
const showing = new Map<string | undefined, Promise<unknown>>();

async function receive(scope: Scope, nudge: Nudge, closed: Set<string>): Promise<void> {
  // Notifications of one tag are shown one after another. If two were shown at once, neither would find the other on
  // the screen, and the older one could stay.
  const shown = (showing.get(nudge.tag) ?? Promise.resolve()).catch(() => {}).then(() => show(scope, nudge, closed));
  showing.set(nudge.tag, shown);
  await Promise.all([
    (await shown) ? report(scope, { token: nudge.data.token, kind: "displayed" }) : sendStored(scope),
    // If this fails, the next push confirms the subscription.
    confirmLater(scope).catch(() => {}),
  ]);
}

/** Shows a notification, unless a later one with its tag is on the screen. Returns whether it was new. */
async function show(scope: Scope, nudge: Nudge, closed: Set<string>): Promise<boolean> {
  const before = await shownBefore(scope, nudge);
  if (before.some(({ order = 0 }) => order > (nudge.data.order ?? 0))) return false;
  for (const { token } of before) closed.add(token);
  return showNudge(scope, nudge, before.length > 0);
}

listen(self);

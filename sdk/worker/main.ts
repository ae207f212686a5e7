import { openArticle } from "./click.ts";
import { isNudgeData, type Nudge, readNudge, showNudge } from "./nudge.ts";
import { report, sendKept } from "./receipts.ts";
import { confirmSubscription, noteSubscription, renewSubscription } from "./renewal.ts";
import type { Scope } from "./site.ts";
import { syncTag, wakeLater } from "./waking.ts";

declare const self: Scope;

/** The worker's listeners. Each takes only what is ours, and then keeps it from others of a worker that is shared. */
function listen(scope: Scope): void {
  scope.addEventListener("push", (event) => {
    const nudge = readNudge(event.data);
    if (!nudge) return;
    event.stopImmediatePropagation();
    event.waitUntil(receive(scope, nudge));
  });

  // Closing a notification after a click must not count as a dismissal, which Firefox would report.
  const clicked = new Set<string>();
  scope.addEventListener("notificationclick", (event) => {
    const { notification } = event;
    const { data } = notification;
    if (!isNudgeData(data)) return;
    event.stopImmediatePropagation();
    clicked.add(data.token);
    notification.close();
    event.waitUntil(
      Promise.all([openArticle(scope, data.navigate), report(scope, { token: data.token, kind: "clicked" })]),
    );
  });
  scope.addEventListener("notificationclose", (event) => {
    const { data } = event.notification;
    if (!isNudgeData(data)) return;
    event.stopImmediatePropagation();
    if (!clicked.has(data.token)) event.waitUntil(report(scope, { token: data.token, kind: "dismissed" }));
  });

  scope.addEventListener("pushsubscriptionchange", (event) => {
    const renewed = renewSubscription(scope, event.oldSubscription, event.newSubscription);
    event.waitUntil(renewed.catch(() => wakeLater(scope)));
  });
  scope.addEventListener("message", (event) => {
    if (event.data?.pressbell === "confirmed") event.waitUntil(noteSubscription(scope));
  });
  scope.addEventListener("activate", (event) => event.waitUntil(sendKept(scope)));
  scope.addEventListener("sync", (event) => {
    if (event.tag === syncTag) event.waitUntil(Promise.all([sendKept(scope), confirmSubscription(scope)]));
  });
}

async function receive(scope: Scope, nudge: Nudge): Promise<void> {
  const isNew = await showNudge(scope, nudge);
  await Promise.all([
    isNew ? report(scope, { token: nudge.data.token, kind: "displayed" }) : sendKept(scope),
    // What is not confirmed now is at the next push.
    confirmSubscription(scope).catch(() => {}),
  ]);
}

listen(self);

import { openArticle } from "./click.ts";
import { isNudgeData, type Nudge, readNudge, showNudge, tokensReplacedBy } from "./nudge.ts";
import { report, sendKept } from "./receipts.ts";
import { confirmSubscription, noteSubscription, renewSubscription } from "./renewal.ts";
import type { Scope } from "./site.ts";
import { syncTag, wakeLater } from "./waking.ts";

declare const self: Scope;

/** The worker's listeners. Each takes only what is ours, and then keeps it from others of a worker that is shared. */
function listen(scope: Scope): void {
  // What a click or a correction has closed must not count as a dismissal, which Firefox would report.
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
    event.waitUntil(
      Promise.all([openArticle(scope, data.navigate), report(scope, { token: data.token, kind: "clicked" })]),
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

async function receive(scope: Scope, nudge: Nudge, closed: Set<string>): Promise<void> {
  for (const token of await tokensReplacedBy(scope, nudge)) closed.add(token);
  const isNew = await showNudge(scope, nudge);
  await Promise.all([
    isNew ? report(scope, { token: nudge.data.token, kind: "displayed" }) : sendKept(scope),
    // What is not confirmed now is at the next push.
    confirmSubscription(scope).catch(() => {}),
  ]);
}

listen(self);

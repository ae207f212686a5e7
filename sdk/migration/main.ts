import type { PageContext } from "../page/context.ts";
import { hasKey } from "../subscription.ts";

/**
 * Returns the registrations of another push service in this browser, if the site migrates its readers. Each has a
 * live subscription with another key. A permission alone is not enough, because its reader may have left.
 */
export async function findFormer({ settings, snippet }: PageContext): Promise<ServiceWorkerRegistration[]> {
  const { formerWorkers, vapidPublicKey } = await settings();
  if (!formerWorkers) return [];
  const former = [];
  for (const registration of await navigator.serviceWorker.getRegistrations()) {
    const subscription = await registration.pushManager.getSubscription();
    const isOurs = registration.scope === snippet.scope && !snippet.sharesWorker;
    if (!isOurs && subscription && !hasKey(subscription, vapidPublicKey)) former.push(registration);
  }
  return former;
}

/**
 * Ends the subscription that another push service has in this browser. Ends its worker too, if the worker does
 * nothing else. Call this after our subscription is registered. Whatever fails is repeated at the next visit.
 */
export async function retire({ settings, snippet }: PageContext, former: ServiceWorkerRegistration[]): Promise<void> {
  const { formerWorkers } = await settings();
  for (const registration of former) {
    // In a shared worker, our subscription has already replaced the other one.
    if (registration.scope === snippet.scope) continue;
    await (await registration.pushManager.getSubscription())?.unsubscribe();
    const path = new URL(registration.active?.scriptURL ?? location.href).pathname;
    if (formerWorkers?.some((end) => path.endsWith(end))) await registration.unregister();
  }
}

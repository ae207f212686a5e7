import type { PageContext } from "../page/context.ts";
import { hasKey } from "../subscription.ts";

/**
 * Returns the registrations of another push service in this browser, if the site wants its readers: those with a live
 * subscription of another key. A permission without one may be of a reader who has left.
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
 * Ends what another push service has in this browser: its subscription, and its worker if that does nothing else. After
 * ours is registered; what fails is repeated at the next visit.
 */
export async function retire({ settings, snippet }: PageContext, former: ServiceWorkerRegistration[]): Promise<void> {
  const { formerWorkers } = await settings();
  for (const registration of former) {
    // In a shared worker ours has replaced it.
    if (registration.scope === snippet.scope) continue;
    await (await registration.pushManager.getSubscription())?.unsubscribe();
    const path = new URL(registration.active?.scriptURL ?? location.href).pathname;
    if (formerWorkers?.some((end) => path.endsWith(end))) await registration.unregister();
  }
}

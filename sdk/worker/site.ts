import type { Site } from "../wire.ts";

/**
 * The site of the worker and the VAPID key that it subscribes with. The service puts them in a line before this
 * script.
 */
export type WorkerSite = Site & { tenantId: string; vapidPublicKey: string };

export type Scope = ServiceWorkerGlobalScope & { pressbellSite: WorkerSite };

/** The types of Background Sync, which only Chromium has. */
declare global {
  interface ServiceWorkerRegistration {
    sync?: { register(tag: string): Promise<void> };
  }
  interface ServiceWorkerGlobalScopeEventMap {
    sync: ExtendableEvent & { tag: string };
  }
}

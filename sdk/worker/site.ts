import type { Site } from "../wire.ts";

/** What the service writes before this code: which site the worker serves, and the key it subscribes with. */
export type WorkerSite = Site & { tenantId: string; vapidPublicKey: string };

export type Scope = ServiceWorkerGlobalScope & { pressbellSite: WorkerSite };

/** Background Sync, which only Chromium has. */
declare global {
  interface ServiceWorkerRegistration {
    sync?: { register(tag: string): Promise<void> };
  }
  interface ServiceWorkerGlobalScopeEventMap {
    sync: ExtendableEvent & { tag: string };
  }
}

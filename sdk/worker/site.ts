import type { Site } from "../wire.ts";

/** The line that the service puts before this script: the site of the worker, and the key it subscribes with. */
export type WorkerSite = Site & { tenantId: string; vapidPublicKey: string };

export type Scope = ServiceWorkerGlobalScope & { pressbellSite: WorkerSite };

/** Background Sync: only Chromium has it. */
declare global {
  interface ServiceWorkerRegistration {
    sync?: { register(tag: string): Promise<void> };
  }
  interface ServiceWorkerGlobalScopeEventMap {
    sync: ExtendableEvent & { tag: string };
  }
}

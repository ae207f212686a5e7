import { withReason } from "./failure.ts";
import type { Snippet } from "./snippet.ts";

/**
 * Returns the registration of our worker, or undefined. Compares the scope, because `getRegistration` alone would
 * also return one with a wider scope.
 */
export async function findWorker({ scope }: Snippet): Promise<ServiceWorkerRegistration | undefined> {
  const found = await withReason("worker", navigator.serviceWorker.getRegistration(scope));
  return found?.scope === scope ? found : undefined;
}

/** Registers our worker, if needed, and waits until it can receive pushes. Throws a Failure. */
export function registerWorker({ workerUrl, scope }: Snippet): Promise<ServiceWorkerRegistration> {
  const register = async () => {
    const registration = await navigator.serviceWorker.register(workerUrl, { scope });
    if (!registration.active) await activated(registration);
    return registration;
  };
  return withReason("worker", register());
}

function activated({ installing, waiting }: ServiceWorkerRegistration): Promise<void> {
  const worker = installing ?? waiting;
  return new Promise((resolve, reject) => {
    worker?.addEventListener("statechange", () => {
      if (worker.state === "activated") resolve();
      if (worker.state === "redundant") reject(Error("the worker could not be installed"));
    });
  });
}

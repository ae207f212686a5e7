import { step } from "./failure.ts";
import type { Snippet } from "./snippet.ts";

/** The registration of our worker, or undefined. `getRegistration` alone would also give one of a wider scope. */
export async function findWorker({ scope }: Snippet): Promise<ServiceWorkerRegistration | undefined> {
  const found = await step("worker", navigator.serviceWorker.getRegistration(scope));
  return found?.scope === scope ? found : undefined;
}

/** Registers our worker, if need be, and waits until it can take pushes. Throws a Failure. */
export function registerWorker({ workerUrl, scope }: Snippet): Promise<ServiceWorkerRegistration> {
  const register = async () => {
    const registration = await navigator.serviceWorker.register(workerUrl, { scope });
    if (!registration.active) await activated(registration);
    return registration;
  };
  return step("worker", register());
}

function activated({ installing, waiting }: ServiceWorkerRegistration): Promise<void> {
  const worker = installing ?? waiting;
  return new Promise((resolve, reject) => {
    worker?.addEventListener("statechange", () => {
      if (worker.state === "activated") resolve();
      if (worker.state === "redundant") reject(Error("the service worker could not be installed"));
    });
  });
}

import { withTimeout } from "../with-timeout.ts";

/**
 * The step that failed. `settings`: reading the site's settings. `prompt`: loading the prompt. `permission`: the
 * browser's prompt was not answered. `worker`: registering the service worker. `push`: subscribing in the browser.
 * `other_key`: another script's subscription is in the way. `service`: Pressbell refused or could not be reached.
 */
export type Reason = "settings" | "prompt" | "permission" | "worker" | "push" | "other_key" | "service" | "unexpected";

export type Failure = { reason: Reason; message: string };

/** Returns the result of `work`. Throws a Failure with this reason if it fails or takes longer than `limitMs`. */
export async function withReason<T>(reason: Reason, work: Promise<T>, limitMs = 10_000): Promise<T> {
  try {
    return await withTimeout(work, limitMs);
  } catch (error) {
    throw { reason, message: messageOf(error) };
  }
}

/** Converts any thrown value to the detail of the event `failed`. */
export function failureOf(error: unknown): Failure {
  const { reason = "unexpected" } = error as Partial<Failure>;
  return { reason, message: messageOf(error) };
}

function messageOf(error: unknown): string {
  return (error as Partial<Error>).message ?? String(error);
}

import { within } from "../within.ts";

/**
 * Why something did not come about. `settings`: the site's settings could not be read; `permission`: the browser's
 * question was not answered; `worker`: the service worker's file could not be set up; `push`: the browser could not
 * subscribe; `other_key`: a subscription of somebody else is in the way; `service`: Pressbell did not take it.
 */
export type Reason = "settings" | "permission" | "worker" | "push" | "other_key" | "service" | "unexpected";

export type Failure = { reason: Reason; message: string };

/** The outcome of `work`, for which it has `limitMs`. Throws a Failure with this reason. */
export async function step<T>(reason: Reason, work: Promise<T>, limitMs = 10_000): Promise<T> {
  try {
    return await within(work, limitMs);
  } catch (error) {
    throw { reason, message: messageOf(error) };
  }
}

/** Whatever was thrown, as what the event `failed` tells. */
export function failureOf(error: unknown): Failure {
  const { reason = "unexpected" } = error as Partial<Failure>;
  return { reason, message: messageOf(error) };
}

function messageOf(error: unknown): string {
  return (error as Partial<Error>).message ?? String(error);
}

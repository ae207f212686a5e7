import { z } from "zod";
import type { App } from "../app.ts";
import { expects, parseInput } from "../input.ts";
import { deleteSubscriber } from "./queries.ts";
import { endpointHref, hashEndpoint, readAuth } from "./subscription.ts";

const unsubscribeInput = z.strictObject(
  {
    endpoint: z.string(expects("a string")),
    auth: z.string(expects("a string")),
    token: z.string(expects("a string")).optional(),
  },
  expects("a JSON object"),
);

/**
 * Deletes a subscription of a site, if `auth` is its secret. `hasLeft`: whether the subscription existed. Never tell
 * this to the browser. `token`: the token of the message from which the reader unsubscribed, not checked. Throws
 * `validation_failed`.
 */
export async function unsubscribe(
  app: App,
  input: { siteId: string; body: unknown },
): Promise<{ hasLeft: boolean; token: string | undefined }> {
  const { endpoint, auth, token } = parseInput(unsubscribeInput, input.body);
  const href = endpointHref(endpoint);
  const secret = readAuth(auth);
  if (href === undefined || secret === undefined) return { hasLeft: false, token };
  return { hasLeft: await deleteSubscriber(app.db, input.siteId, hashEndpoint(href), secret), token };
}

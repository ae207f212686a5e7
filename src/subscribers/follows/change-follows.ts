import type { App } from "../../app.ts";
import { appError } from "../../errors.ts";
import { parseInput } from "../../input.ts";
import { bucketOfAddress, enforceLimit } from "../../rate-limits/count-requests.ts";
import { addressFollowLimit } from "../../rate-limits/limits.ts";
import { subscriberOf } from "../preferences/queries.ts";
import { endpointHref, hashEndpoint, readAuth } from "../subscription.ts";
import { type Follow, followsInput, maxFollows } from "./follow.ts";
import { deleteFollow, followsOf, insertFollow, lockFollows } from "./queries.ts";

/**
 * Changes what a reader follows, if the body says so, and returns all that they follow. `address`: the browser's IP
 * address. Throws `validation_failed` with all faults, `not_found` if the endpoint and secret of the body are those of
 * no subscription of the site, `follow_limit`, and `rate_limited` for too many new follows from one address.
 */
export async function changeFollows(
  app: App,
  { siteId, address, body }: { siteId: string; address: string; body: unknown },
): Promise<{ follows: Follow[] }> {
  const { endpoint, auth: secret, follow, unfollow } = parseInput(followsInput, body);
  const href = endpointHref(endpoint);
  const auth = readAuth(secret);
  const found = href && auth && (await subscriberOf(app.db, siteId, { endpointHash: hashEndpoint(href), auth }));
  if (!found) throw appError("not_found", { message: "This browser is not subscribed to the site. Subscribe first." });
  const { id } = found;
  if (follow !== undefined) {
    const tooMany = "Your network has followed too many stories of this site within an hour. Try again later.";
    await enforceLimit(app, addressFollowLimit, `${siteId} ${bucketOfAddress(address)}`, tooMany);
  }
  return app.db.transaction().execute(async (tx) => {
    await lockFollows(tx, siteId, id);
    if (unfollow !== undefined) await deleteFollow(tx, siteId, id, unfollow);
    if (follow !== undefined) {
      const others = (await followsOf(tx, siteId, id)).filter(({ key }) => key !== follow.key);
      if (others.length >= maxFollows) throw appError("follow_limit");
      await insertFollow(tx, siteId, id, { key: follow.key, label: follow.label ?? null });
    }
    return { follows: await followsOf(tx, siteId, id) };
  });
}

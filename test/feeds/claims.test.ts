import { type RawBuilder, sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { row } from "../../src/db/pool.ts";
import { claimLeaseMs } from "../../src/feeds/fair-work.ts";
import { claimSite, renewSiteClaim } from "../../src/feeds/items/site-queries.ts";
import { claimPoll, renewPoll } from "../../src/feeds/poll/queries.ts";
import { endFeedLeases, insertNewItems } from "../fixtures/rows/feeds.ts";
import { type FeedFixture, makePollDue, openFeedFixture } from "./fixture.ts";

const nothing = { tenantIds: [], hosts: [], slow: false };
let fixture: FeedFixture;

beforeAll(async () => {
  fixture = await openFeedFixture();
});

type Kind = {
  /** Claims what is due. Returns undefined while another process holds it. */
  claim(): Promise<{ renew(): Promise<void> } | undefined>;
  /** The moment at which the claim expires. */
  leaseUntil: RawBuilder<unknown>;
};

const polls: Kind = {
  async claim() {
    const claim = await claimPoll(fixture.app.db, claimLeaseMs, nothing);
    return claim && { renew: () => renewPoll(fixture.app.db, claimLeaseMs, claim) };
  },
  leaseUntil: sql`select poll_lease_until as until from feeds`,
};
const items: Kind = {
  async claim() {
    const claim = await claimSite(fixture.app.db, claimLeaseMs, nothing);
    return claim && { renew: () => renewSiteClaim(fixture.app.db, claimLeaseMs, claim) };
  },
  leaseUntil: sql`select lease_until as until from feed_site_claims`,
};

async function secondsLeft({ leaseUntil }: Kind): Promise<number> {
  const found = await row(
    sql<{
      s: number;
    }>`select extract(epoch from until - now())::float8 as s from (${leaseUntil}) l where until is not null`,
    fixture.app.db,
  );
  return found!.s;
}

test("a killed process holds a feed or a site's items for 15 s, a living one until it ends", async () => {
  const { feedId } = await fixture.feedWith(fixture.publisher, []);
  await makePollDue(fixture.app, feedId);
  await insertNewItems(fixture.app, { siteId: fixture.publisher.siteId, feedId }, 1, "https://news.example/");
  for (const kind of [polls, items]) {
    const first = (await kind.claim())!;
    expect(await secondsLeft(kind)).toBeLessThanOrEqual(15);
    expect(await kind.claim()).toBeUndefined();
    await endFeedLeases(fixture.app);
    await first.renew();
    expect(await secondsLeft(kind)).toBeGreaterThan(10);
    expect(await kind.claim()).toBeUndefined();

    await endFeedLeases(fixture.app);
    expect(await kind.claim()).toBeDefined();
    await endFeedLeases(fixture.app);
    await first.renew();
    expect(await secondsLeft(kind)).toBeLessThanOrEqual(0);
  }
});

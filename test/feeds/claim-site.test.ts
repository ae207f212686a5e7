import { sql } from "kysely";
import { expect, test } from "vitest";
import { claimSite, releaseSiteClaim } from "../../src/feeds/items/site-queries.ts";
import { openFeedFixture, story } from "./fixture.ts";

const nothing = { tenantIds: [], hosts: [], slow: false };

test("a claim takes one site of several that have due items, whatever the plan of the statement", async () => {
  const fixture = await openFeedFixture();
  const { app } = fixture;
  for (let n = 0; n < 5; n++) {
    const feed = await fixture.feedWith(await fixture.anotherPublisher(), []);
    feed.put([story(fixture, `due-${n}`)]);
    await feed.poll();
  }
  const leased = () => sql`select from feed_desks where lease_until > now()`.execute(app.db);
  for (const setting of ["enable_hashjoin", "enable_mergejoin", "enable_nestloop"]) {
    const claim = await app.db.transaction().execute(async (tx) => {
      const others = ["enable_hashjoin", "enable_mergejoin", "enable_material", "enable_nestloop"];
      for (const other of others) if (other !== setting) await sql`set local ${sql.raw(other)} = off`.execute(tx);
      return claimSite(tx, 60_000, nothing);
    });
    expect((await leased()).rows).toHaveLength(1);
    await releaseSiteClaim(app.db, claim!);
  }
});

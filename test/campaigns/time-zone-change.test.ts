import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { changeSiteSettings } from "../../src/dashboard-api/settings.ts";
import { row } from "../../src/db/pool.ts";
import { changeSiteAndSchedules } from "../../src/sends/change-site.ts";
import { startDueSends } from "../../src/sends/scheduler.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { runHere } from "../cli/run-here.ts";
import { settingsOf } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, subscribe } from "../fixtures/publisher.ts";
import { type CampaignFixture, campaignFixtureOf, inSeconds, makeDue, openCampaignFixture } from "./fixture.ts";

let fixture: CampaignFixture;

beforeAll(async () => {
  fixture = await openCampaignFixture();
});

const localTime = { date: "2099-03-01", time: "07:00" };
const firstMoment = "2099-02-28T17:00:00.000Z";

const planned = async (campaignId: string) =>
  (await row(
    sql<{ startsAt: Date; lateFrom: Date | null }>`select starts_at as "startsAt", late_from as "lateFrom"
      from planned_sends where campaign_id = ${campaignId} and status = 'waiting'`,
    fixture.app.db,
  ))!;

async function ofNewSite() {
  const publisher = await createPublisher(fixture.app);
  await changeSite(fixture.app, publisher.actor, { siteId: publisher.siteId, timeZone: "Asia/Tokyo" });
  const of = campaignFixtureOf(fixture.app, fixture.api, publisher);
  const campaignId = await of.draft();
  expect((await of.post(campaignId, "schedule", { localTime })).status).toBe(200);
  const moveTo = (timeZone: string) =>
    changeSiteAndSchedules(fixture.app, publisher.actor, { siteId: publisher.siteId, timeZone });
  return { publisher, of, campaignId, moveTo };
}

describe("a change of the site's time zone", () => {
  test.each([
    ["America/New_York", "2099-03-01T12:00:00.000Z"],
    ["Pacific/Kiritimati", firstMoment],
    ["Asia/Tokyo", "2099-02-28T22:00:00.000Z"],
  ])("to %s recomputes when its schedules for a local time are late", async (timeZone, lateFrom) => {
    const { campaignId, moveTo } = await ofNewSite();
    expect((await planned(campaignId)).lateFrom?.toISOString()).toBe("2099-02-28T22:00:00.000Z");
    await moveTo(timeZone);
    const { startsAt, lateFrom: recomputed } = await planned(campaignId);
    expect([startsAt.toISOString(), recomputed?.toISOString()]).toEqual([firstMoment, lateFrom]);
  });

  test("is made so by members and on the command line, and leaves other schedules and sites alone", async () => {
    const [one, other] = [await ofNewSite(), await ofNewSite()];
    const scheduleAt = inSeconds(5_000);
    const plain = await one.of.draft();
    await one.of.post(plain, "schedule", { scheduleAt });
    const { siteId, actor } = one.publisher;
    await changeSiteSettings(fixture.app, actor, { siteId, body: { timeZone: "America/New_York" } });
    expect((await planned(one.campaignId)).lateFrom?.toISOString()).toBe("2099-03-01T12:00:00.000Z");
    expect(await planned(plain)).toEqual({ startsAt: new Date(scheduleAt), lateFrom: null });
    expect((await planned(other.campaignId)).lateFrom?.toISOString()).toBe("2099-02-28T22:00:00.000Z");
    const words = ["site", "set", "--site", siteId, "--time-zone", "Europe/Berlin"];
    expect(await runHere(words, settingsOf(fixture.app))).toMatchObject({ code: 0 });
    expect((await planned(one.campaignId)).lateFrom?.toISOString()).toBe("2099-03-01T06:00:00.000Z");
    await expect(
      changeSiteSettings(fixture.app, actor, { siteId, body: { timeZone: "Mars/Olympus" } }),
    ).rejects.toMatchObject({ code: "validation_failed" });
    expect((await planned(one.campaignId)).lateFrom?.toISOString()).toBe("2099-03-01T06:00:00.000Z");
  });

  test("counts for a run that starts after it, and at the same time as a schedule", async () => {
    const { publisher, of, campaignId, moveTo } = await ofNewSite();
    await subscribe(fixture.app, publisher.siteId, createSubscriptions(1));
    const drafts = await Promise.all(Array.from({ length: 6 }, () => of.draft()));
    await Promise.all([
      ...drafts.map((draft) => of.post(draft, "schedule", { localTime })),
      moveTo("America/New_York"),
    ]);
    for (const draft of drafts) {
      expect((await planned(draft)).lateFrom?.toISOString()).toBe("2099-03-01T12:00:00.000Z");
    }
    await makeDue(fixture.app, campaignId);
    await startDueSends(fixture.app);
    const run = await row(
      sql<{ countsAt: Date }>`select counts_at as "countsAt" from runs where campaign_id = ${campaignId}`,
      fixture.app.db,
    );
    expect(run!.countsAt.toISOString()).toBe("2099-03-01T12:00:00.000Z");
  });
});

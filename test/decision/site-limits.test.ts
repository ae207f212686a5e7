import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import type { Actor } from "../../src/actor.ts";
import type { App } from "../../src/app.ts";
import { siteSet } from "../../src/cli/site.ts";
import { siteById } from "../../src/tenants/sites/queries.ts";
import type { SiteChange } from "../../src/tenants/sites/site.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { openTestApp } from "../fixtures/app.ts";
import { createPublisher } from "../fixtures/publisher.ts";

let app: App;
let actor: Actor;
let siteId: string;
beforeAll(async () => {
  app = await openTestApp();
  ({ actor, siteId } = await createPublisher(app));
});

const none = {
  timeZone: "UTC",
  freshnessHours: 48,
  dailyLimit: null,
  minGapMinutes: null,
  quietHours: null,
  undatedStories: "ask",
};
const all = {
  timeZone: "America/Sao_Paulo",
  freshnessHours: 12,
  dailyLimit: 8,
  minGapMinutes: 45,
  undatedStories: "skip" as const,
  quietHours: { from: "22:30", until: "06:05" },
};

describe("changeSite", () => {
  test("a new site has 48 hours and no other limit", async () => {
    expect(await siteById(app.db, siteId)).toMatchObject(none);
  });

  test("sets given fields, keeps absent ones, and removes those that are null", async () => {
    expect(await changeSite(app, actor, { siteId, ...all })).toMatchObject(all);
    expect(await changeSite(app, actor, { siteId, dailyLimit: 9 })).toMatchObject({
      ...all,
      dailyLimit: 9,
      pausedAt: null,
    });
    expect(await changeSite(app, actor, { siteId, paused: true })).toMatchObject({
      dailyLimit: 9,
      pausedAt: expect.any(Date),
    });
    const off = { dailyLimit: null, minGapMinutes: null, quietHours: null, paused: false };
    expect(
      await changeSite(app, actor, { siteId, ...off, timeZone: "UTC", freshnessHours: 48, undatedStories: "ask" }),
    ).toMatchObject(none);
  });

  const wrong: [change: unknown, ...paths: string[]][] = [
    [{ timeZone: "Mars/Olympus" }, "/timeZone"],
    [{ timeZone: "+02:00" }, "/timeZone"],
    [{ timeZone: "" }, "/timeZone"],
    [
      { freshnessHours: 0, dailyLimit: 1.5, minGapMinutes: Number.NaN },
      "/freshnessHours",
      "/dailyLimit",
      "/minGapMinutes",
    ],
    [{ freshnessHours: 8_761 }, "/freshnessHours"],
    [{ freshnessHours: null }, "/freshnessHours"],
    [{ quietHours: { from: "24:00", until: "7:00" } }, "/quietHours/from", "/quietHours/until"],
    [{ quietHours: { from: "07:00", until: "07:00" } }, "/quietHours"],
    [{ quietHours: { from: "07:00" } }, "/quietHours/until"],
    [{ quietHours: "22:00-07:00" }, "/quietHours"],
    [{ undatedStories: "never" }, "/undatedStories"],
    [{ dailylimit: 3 }, "/dailylimit"],
  ];
  test.each(wrong)("refuses %j with all faults", async (change, ...paths) => {
    const thrown = await changeSite(app, actor, { siteId, ...(change as SiteChange) }).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: "validation_failed" });
    const { errors } = (thrown as { details: { errors: { path: string; message: string }[] } }).details;
    expect(errors.map(({ path }) => path)).toEqual(paths);
    for (const { message } of errors) expect(message).toMatch(/^(must|is) /);
  });

  test("knows no site that does not exist", async () => {
    const id = "01990000-0000-7000-8000-000000000000";
    await expect(changeSite(app, actor, { siteId: id, dailyLimit: 1 })).rejects.toMatchObject({ code: "not_found" });
  });

  test("knows no site of another tenant", async () => {
    const stranger = await createPublisher(app);
    const before = await siteById(app.db, siteId);
    await expect(changeSite(app, stranger.actor, { siteId, paused: true })).rejects.toMatchObject({
      code: "not_found",
      message: `There is no site ${siteId}.`,
    });
    expect(await siteById(app.db, siteId)).toEqual(before);
  });

  test("the database refuses half of quiet hours, too", async () => {
    for (const change of ["quiet_from = '22:00'", "quiet_from = '22:00', quiet_until = '22:00'", "daily_limit = 0"]) {
      const update = sql`update sites set ${sql.raw(change)} where id = ${siteId}`.execute(app.db);
      await expect(update, change).rejects.toThrow(/violates check constraint/);
    }
  });
});

describe("pressbell site set", () => {
  const context = { secretKey: "", stopRequested: Promise.resolve() };
  const run = (values: Record<string, string>) =>
    siteSet.run(app, { site: siteId, json: true, ...values }, [], context);

  test("sets limits from the options, and `off` removes them", async () => {
    await run({
      "daily-limit": "4",
      "min-gap-minutes": "20",
      "quiet-hours": "23:00-05:30",
      "time-zone": "Europe/Berlin",
    });
    const set = {
      dailyLimit: 4,
      minGapMinutes: 20,
      quietHours: { from: "23:00", until: "05:30" },
      timeZone: "Europe/Berlin",
    };
    expect(await siteById(app.db, siteId)).toMatchObject(set);
    await run({ "daily-limit": "off", "min-gap-minutes": "off", "quiet-hours": "off", "freshness-hours": "72" });
    await run({ "undated-stories": "send" });
    expect(await siteById(app.db, siteId)).toMatchObject({
      ...none,
      timeZone: "Europe/Berlin",
      freshnessHours: 72,
      undatedStories: "send",
    });
  });

  test.each([
    ["daily-limit", "many", "/--daily-limit"],
    ["daily-limit", "", "/--daily-limit"],
    ["quiet-hours", "22-7", "/--quiet-hours"],
    ["freshness-hours", "off", "/--freshness-hours"],
    ["undated-stories", "off", "/--undated-stories"],
  ])("refuses --%s %s by name", async (option, value, path) => {
    await expect(run({ [option]: value })).rejects.toMatchObject({
      code: "validation_failed",
      details: { errors: expect.arrayContaining([expect.objectContaining({ path })]) },
    });
  });

  test("says what can be set when nothing is", async () => {
    await expect(run({})).rejects.toThrow("say what to set");
  });
});

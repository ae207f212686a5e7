import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { writeRunMessage } from "../../src/campaigns/run-message.ts";
import { rows } from "../../src/db/pool.ts";
import { largestPayloadBytes, maxPayloadBytes } from "../../src/runs/payload.ts";
import type { RunMessage } from "../../src/runs/run.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, operatorOf, subscribe } from "../fixtures/publisher.ts";
import { campaignFixtureOf } from "./fixture.ts";

const nudge = {
  title: "Bridge opens",
  body: "On Saturday.",
  url: "https://news.example/a?b=1",
  imageUrl: null,
  language: "de",
};
const site = {
  iconUrl: "https://news.example/icon.png",
  utm: { source: "pressbell", medium: null, campaign: null },
  linkMode: "token",
} as const;

describe("the message of a run", () => {
  test("has the site's icon and campaign parameters and the article's language", () => {
    expect(writeRunMessage(nudge, site, null)).toEqual({
      title: "Bridge opens",
      body: "On Saturday.",
      imageUrl: null,
      url: "https://news.example/a?b=1&utm_source=pressbell",
      language: "de",
      iconUrl: site.iconUrl,
      story: "https://news.example/a?b=1",
    });
    expect(writeRunMessage({ ...nudge, extras: { storyId: "bridge" } }, site, null).story).toBe("bridge");
  });

  test("links through the service in link mode redirect, if PUBLIC_URL is set", () => {
    const redirected = { ...site, linkMode: "redirect" } as const;
    expect(writeRunMessage(nudge, redirected, "https://push.example.org/bell").clickBase).toBe(
      "https://push.example.org/bell/sdk/click/",
    );
    expect(writeRunMessage(nudge, redirected, null)).not.toHaveProperty("clickBase");
  });

  test("that would be too large is sent without icon, then language, then campaign parameters", () => {
    const room = maxPayloadBytes - largestPayloadBytes({ ...nudge, imageUrl: "https://img.example/", language: null });
    const tightBy = (bytes: number) =>
      writeRunMessage({ ...nudge, imageUrl: `https://img.example/${"x".repeat(room - bytes)}` }, site, null);
    const iconBytes = `"icon":"${site.iconUrl}",`.length;
    const languageBytes = '"lang":"de",'.length;
    const utmBytes = "&utm_source=pressbell".length;
    const all = iconBytes + languageBytes + utmBytes;
    expect(tightBy(all)).toMatchObject({ iconUrl: site.iconUrl });
    expect(tightBy(all - 1)).not.toHaveProperty("iconUrl");
    expect(tightBy(all - 1)).toMatchObject({ language: "de" });
    expect(tightBy(languageBytes + utmBytes - 1)).not.toHaveProperty("language");
    expect(tightBy(utmBytes).url).toContain("utm_source");
    expect(tightBy(utmBytes - 1).url).toBe(nudge.url);
    expect(largestPayloadBytes(tightBy(0))).toBe(maxPayloadBytes);
  });
});

describe("at the send", () => {
  let app: App;
  let api: Api;

  beforeAll(async () => {
    app = await openTestApp({ PUBLIC_URL: "https://push.example.org/" });
    api = await serve(app);
  });

  test("the message is frozen: a later change of the site does not affect a run that has started", async () => {
    const publisher = await createPublisher(app);
    const { siteId, tenantId } = publisher;
    const change = (more: object) => changeSite(app, operatorOf(tenantId), { siteId, ...more });
    await subscribe(app, siteId, createSubscriptions(1));
    await subscribe(app, siteId, createSubscriptions(1), "Desk");
    await change({ iconUrl: site.iconUrl, utm: { source: "pressbell" }, linkMode: "redirect" });
    const fixture = campaignFixtureOf(app, api, publisher);
    const campaignId = await fixture.draft();
    const { body: sent } = await fixture.post(campaignId, "send");
    await change({ iconUrl: null, utm: { source: null, medium: "push" }, linkMode: "token" });
    const [run] = await rows(
      sql<{ message: RunMessage }>`select message from run_messages where run_id = ${sent.runId}`,
      app.db,
    );
    expect(run!.message).toMatchObject({
      iconUrl: site.iconUrl,
      clickBase: "https://push.example.org/sdk/click/",
      url: expect.stringContaining("utm_source=pressbell"),
    });
    const next = await fixture.post(await fixture.draft(), "send");
    const [later] = await rows(
      sql<{ message: RunMessage }>`select message from run_messages where run_id = ${next.body.runId}`,
      app.db,
    );
    expect(later!.message.url).toContain("utm_medium=push");
    expect(later!.message.url).not.toContain("utm_source");
    expect(later!.message).not.toHaveProperty("clickBase");
  });
});

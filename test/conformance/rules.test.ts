import { beforeAll, describe, expect, test } from "vitest";
import { changeTenant } from "../../src/tenants/tenants.ts";
import { inSeconds } from "../campaigns/fixture.ts";
import { type ConformanceFixture, openConformanceFixture } from "./fixture.ts";

/**
 * Rules 2, 3, 7 and 8 of the specification. Rule 1 is in api-keys, rules 4 and 9 are in delivery, 5 and 6 in
 * send-rules.
 */
let fixture: ConformanceFixture;
beforeAll(async () => {
  fixture = await openConformanceFixture();
});

const preview = (body: unknown) => fixture.call("POST", "/v1/content/preview", { body });

describe("rule 2, a preview", () => {
  test("requires url", async () => {
    for (const body of [{}, { url: null }, { url: "" }, { url: 5 }]) {
      expect(await preview(body)).toMatchObject({ status: 400, body: { errors: [{ path: "/url" }] } });
    }
  });

  test("requires that url is HTTPS", async () => {
    for (const url of ["http://news.example/a", "ftp://news.example/a", "news.example/a"]) {
      expect(await preview({ url })).toMatchObject({ status: 400, body: { errors: [{ path: "/url" }] } });
    }
  });

  test.each([
    "https://127.0.0.1/",
    "https://localhost/",
    "https://[::1]/",
    "https://169.254.169.254/latest/meta-data/",
    "https://10.0.0.1/",
    "https://2130706433/",
    "https://news.example:8443/",
    "https://user:secret@news.example/",
  ])("fetches nothing inside the network: %s is refused before any connection", async (url) => {
    expect(await preview({ url })).toMatchObject({ status: 400, body: { code: "url_not_allowed" } });
  });

  test("answers with the decision, its reasons, the article and the notification", async () => {
    const url = fixture.story();
    expect(await preview({ url })).toMatchObject({
      status: 200,
      body: {
        decision: "send",
        score: expect.any(Number),
        reasons: expect.any(Array),
        article: { url, title: "Bridge opens on Saturday" },
        nudge: { title: "Bridge opens on Saturday" },
        audience: null,
      },
    });
  });

  test("answers skip, with the reason, for a story that a creation would reject", async () => {
    const { body } = await preview({ url: fixture.rejectedStory() });
    expect(body).toMatchObject({ decision: "skip" });
    expect(body.reasons).toContainEqual(expect.objectContaining({ code: "noindex", effect: "blocks" }));
  });

  test("is aware of the audience with siteId and tenantId", async () => {
    const { tenantId, siteId } = fixture.publisher;
    const { body } = await preview({ url: fixture.story(), siteId, tenantId });
    expect(body.audience).toMatchObject({ siteId, reachable: 0 });
    expect(body.reasons).toContainEqual(expect.objectContaining({ code: "no_audience" }));
  });

  test("requires neither siteId nor tenantId, and accepts only UUIDs of the tenant", async () => {
    const url = fixture.story();
    expect(await preview({ url, tenantId: fixture.publisher.tenantId })).toMatchObject({ body: { audience: null } });
    expect((await preview({ url, siteId: "x" })).status).toBe(400);
    expect((await preview({ url, tenantId: "x" })).status).toBe(400);
    expect((await preview({ url, siteId: fixture.stranger.siteId })).status).toBe(400);
    expect(await preview({ url, tenantId: fixture.stranger.tenantId })).toMatchObject({
      status: 403,
      body: { code: "tenant_mismatch" },
    });
  });
});

describe("rule 3, a creation", () => {
  test("requires siteId and url, and in manual mode also title and body", async () => {
    const paths = async (body: unknown) => {
      const answer = await fixture.call("POST", `/v1/tenants/${fixture.publisher.tenantId}/campaigns`, { body });
      return answer.body.errors.map(({ path }: { path: string }) => path).sort();
    };
    expect(await paths({})).toEqual(["/siteId", "/url"]);
    expect(await paths({ mode: "manual" })).toEqual(["/body", "/siteId", "/title", "/url"]);
  });
});

describe("rule 7, a schedule", () => {
  const schedule = async (scheduleAt: unknown) =>
    fixture.post(await fixture.draft(), "schedule", scheduleAt === undefined ? {} : { scheduleAt });

  test("accepts an ISO-8601 time in the future, and answers with the campaign", async () => {
    const scheduleAt = inSeconds(3_600);
    expect(await schedule(scheduleAt)).toMatchObject({
      status: 200,
      body: { status: "scheduled", scheduledAt: scheduleAt, warnings: [] },
    });
  });

  test("accepts an ISO-8601 time with any offset, and keeps its instant", async () => {
    const answer = await schedule("2098-01-31T18:00:00+02:00");
    expect(answer.body.scheduledAt).toBe("2098-01-31T16:00:00.000Z");
  });

  test("refuses a time that is not in the future", async () => {
    for (const scheduleAt of [inSeconds(-1), "2020-01-01T00:00:00Z"]) {
      expect(await schedule(scheduleAt)).toMatchObject({ status: 400, body: { errors: [{ path: "/scheduleAt" }] } });
    }
  });

  test.each([undefined, "", "tomorrow", "2098-02-30T00:00:00Z", "2098-01-31", "2098-01-31T18:00:00", 4_000_000_000])(
    "refuses a value that is not an ISO-8601 time: %j",
    async (scheduleAt) => {
      expect(await schedule(scheduleAt)).toMatchObject({ status: 400, body: { errors: [{ path: "/scheduleAt" }] } });
    },
  );

  test("is accepted with a warning when a gate is shut: the gates are checked when it is due", async () => {
    const { actor } = fixture.publisher;
    await changeTenant(fixture.app, actor, { paused: true });
    const answer = await schedule(inSeconds(3_600));
    await changeTenant(fixture.app, actor, { paused: false });
    expect(answer).toMatchObject({
      status: 200,
      body: { status: "scheduled", warnings: [{ code: "send_paused", message: expect.any(String) }] },
    });
  });
});

describe("rule 8, a stop", () => {
  test("stops a run in flight, and is idempotent", async () => {
    const { runId } = await fixture.campaignThatIs("sending");
    for (const _ of ["first", "second"]) {
      const stopped = await fixture.call("POST", `/v1/runs/${runId}/stop`);
      expect(stopped).toMatchObject({ status: 200, body: { runId, stoppedAt: expect.any(String) } });
      expect(["stopping", "stopped"]).toContain(stopped.body.status);
    }
  });

  test("of a run that has ended is 409 illegal_transition", async () => {
    const { runId } = await fixture.campaignThatIs("sent");
    expect(await fixture.call("POST", `/v1/runs/${runId}/stop`)).toMatchObject({
      status: 409,
      body: { code: "illegal_transition", from: "completed" },
    });
  });

  test("of an id that is no run of this tenant is 404", async () => {
    const campaignId = await fixture.draft();
    for (const id of [campaignId, "0190d5f0-0000-7000-8000-000000000000", "my-run"]) {
      expect((await fixture.call("POST", `/v1/runs/${id}/stop`)).status).toBe(404);
    }
  });
});

import { beforeAll, describe, expect, test } from "vitest";
import { inSeconds, sendToReader } from "../campaigns/fixture.ts";
import { type ConformanceFixture, openConformanceFixture } from "./fixture.ts";

/** The section "States and transitions" of the specification. */
let fixture: ConformanceFixture;
beforeAll(async () => {
  fixture = await openConformanceFixture();
});

describe("a campaign that is created", () => {
  test("created, and the decision allows it: draft, and campaignId is returned", async () => {
    const answer = await fixture.createFromUrl();
    expect(answer).toMatchObject({
      status: 201,
      body: { status: "draft", campaignId: expect.any(String), decision: { decision: "send" } },
    });
  });

  test("created with forceSend true: draft, whatever the decision says", async () => {
    const answer = await fixture.createFromUrl({ url: fixture.rejectedStory(), forceSend: true });
    expect(answer).toMatchObject({ status: 201, body: { status: "draft", campaignId: expect.any(String) } });
  });

  test("created, rejected by the decision and forceSend not set: cancelled, with the reasons", async () => {
    const answer = await fixture.createFromUrl({ url: fixture.rejectedStory() });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        status: "cancelled",
        campaignId: expect.any(String),
        decision: { decision: "skip", reasons: expect.arrayContaining([expect.objectContaining({ code: "noindex" })]) },
      },
    });
  });
});

describe("a campaign that is", () => {
  test.each(["cancelled", "sending", "sent", "stopped", "failed"] as const)(
    "sent while it is %s, which is not sendable: unchanged, and 409 illegal_transition",
    async (status) => {
      const { campaignId, runId } = await fixture.campaignThatIs(status);
      const refused = await fixture.post(campaignId, "send");
      expect(refused).toMatchObject({
        status: 409,
        body: { code: "illegal_transition", from: status, to: "sending", allowed: expect.any(Array) },
      });
      expect(await fixture.read(campaignId)).toMatchObject({ status, runId });
    },
  );

  test.each(["draft", "scheduled"] as const)("sent while it is %s, which is sendable: sending", async (status) => {
    const { campaignId } = await fixture.campaignThatIs(status);
    expect(await sendToReader(fixture, campaignId)).toMatchObject({ status: 202, body: { status: "sending" } });
    expect((await fixture.read(campaignId)).status).toBe("sending");
  });

  test.each(["draft", "scheduled"] as const)("scheduled while it is %s: scheduled", async (status) => {
    const { campaignId } = await fixture.campaignThatIs(status);
    const scheduleAt = inSeconds(7_200);
    expect(await fixture.post(campaignId, "schedule", { scheduleAt })).toMatchObject({
      status: 200,
      body: { status: "scheduled", scheduledAt: scheduleAt },
    });
  });

  test.each(["cancelled", "sending", "sent", "stopped", "failed"] as const)(
    "scheduled while it is %s: unchanged, and 409 illegal_transition",
    async (status) => {
      const { campaignId } = await fixture.campaignThatIs(status);
      const refused = await fixture.post(campaignId, "schedule", { scheduleAt: inSeconds(3_600) });
      expect(refused).toMatchObject({ status: 409, body: { code: "illegal_transition", from: status } });
      expect((await fixture.read(campaignId)).status).toBe(status);
    },
  );

  test.each(["cancelled", "sending", "sent", "stopped", "failed"] as const)(
    "tested while it is %s: unchanged, and 409 illegal_transition",
    async (status) => {
      const { campaignId } = await fixture.campaignThatIs(status);
      expect(await fixture.post(campaignId, "test")).toMatchObject({
        status: 409,
        body: { code: "illegal_transition", from: status },
      });
      expect((await fixture.read(campaignId)).status).toBe(status);
    },
  );

  test.each(["draft", "scheduled"] as const)("cancelled while it is %s: cancelled", async (status) => {
    const { campaignId } = await fixture.campaignThatIs(status);
    expect(await fixture.post(campaignId, "cancel")).toMatchObject({ status: 200, body: { status: "cancelled" } });
  });

  test("its run stopped while it is sending: stopped", async () => {
    const { campaignId } = await fixture.campaignThatIs("stopped");
    expect((await fixture.read(campaignId)).status).toBe("stopped");
  });

  test("its run completed while it is sending: sent", async () => {
    const { campaignId } = await fixture.campaignThatIs("sent");
    expect((await fixture.read(campaignId)).status).toBe("sent");
  });
});

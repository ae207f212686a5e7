import { beforeAll, describe, expect, test } from "vitest";
import { inSeconds, sendToSomebody } from "../campaigns/desk.ts";
import { type Newsroom, openNewsroom } from "./newsroom.ts";

/** The specification, "States and transitions". */
let newsroom: Newsroom;
beforeAll(async () => {
  newsroom = await openNewsroom();
});

describe("a campaign that is created", () => {
  test("created, and the decision allows it: draft, and campaignId is returned", async () => {
    const answer = await newsroom.createFromUrl();
    expect(answer).toMatchObject({
      status: 201,
      body: { status: "draft", campaignId: expect.any(String), decision: { decision: "send" } },
    });
  });

  test("created with forceSend true: draft, whatever the decision says", async () => {
    const answer = await newsroom.createFromUrl({ url: newsroom.rejectedStory(), forceSend: true });
    expect(answer).toMatchObject({ status: 201, body: { status: "draft", campaignId: expect.any(String) } });
  });

  test("created, rejected by the decision and forceSend not set: it lands as cancelled, with the reasons", async () => {
    const answer = await newsroom.createFromUrl({ url: newsroom.rejectedStory() });
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
      const { campaignId, runId } = await newsroom.campaignThatIs(status);
      const refused = await newsroom.post(campaignId, "send");
      expect(refused).toMatchObject({
        status: 409,
        body: { code: "illegal_transition", from: status, to: "sending", allowed: expect.any(Array) },
      });
      expect(await newsroom.read(campaignId)).toMatchObject({ status, runId });
    },
  );

  test.each(["draft", "scheduled"] as const)("sent while it is %s, which is sendable: sending", async (status) => {
    const { campaignId } = await newsroom.campaignThatIs(status);
    expect(await sendToSomebody(newsroom, campaignId)).toMatchObject({ status: 202, body: { status: "sending" } });
    expect((await newsroom.read(campaignId)).status).toBe("sending");
  });

  test.each(["draft", "scheduled"] as const)("scheduled while it is %s: scheduled", async (status) => {
    const { campaignId } = await newsroom.campaignThatIs(status);
    const scheduleAt = inSeconds(7_200);
    expect(await newsroom.post(campaignId, "schedule", { scheduleAt })).toMatchObject({
      status: 200,
      body: { status: "scheduled", scheduledAt: scheduleAt },
    });
  });

  test.each(["cancelled", "sending", "sent", "stopped", "failed"] as const)(
    "scheduled while it is %s: unchanged, and 409 illegal_transition",
    async (status) => {
      const { campaignId } = await newsroom.campaignThatIs(status);
      const refused = await newsroom.post(campaignId, "schedule", { scheduleAt: inSeconds(3_600) });
      expect(refused).toMatchObject({ status: 409, body: { code: "illegal_transition", from: status } });
      expect((await newsroom.read(campaignId)).status).toBe(status);
    },
  );

  test.each(["cancelled", "sending", "sent", "stopped", "failed"] as const)(
    "tested while it is %s: unchanged, and 409 illegal_transition",
    async (status) => {
      const { campaignId } = await newsroom.campaignThatIs(status);
      expect(await newsroom.post(campaignId, "test")).toMatchObject({
        status: 409,
        body: { code: "illegal_transition", from: status },
      });
      expect((await newsroom.read(campaignId)).status).toBe(status);
    },
  );

  test.each(["draft", "scheduled"] as const)("cancelled while it is %s: cancelled", async (status) => {
    const { campaignId } = await newsroom.campaignThatIs(status);
    expect(await newsroom.post(campaignId, "cancel")).toMatchObject({ status: 200, body: { status: "cancelled" } });
  });

  test("its run stopped while it is sending: stopped", async () => {
    const { campaignId } = await newsroom.campaignThatIs("stopped");
    expect((await newsroom.read(campaignId)).status).toBe("stopped");
  });

  test("its run completed while it is sending: sent", async () => {
    const { campaignId } = await newsroom.campaignThatIs("sent");
    expect((await newsroom.read(campaignId)).status).toBe("sent");
  });
});

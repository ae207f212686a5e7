import { beforeAll, expect, test } from "vitest";
import { startDueSends } from "../../src/sends/scheduler.ts";
import { addSegment } from "../../src/subscribers/segments/segments.ts";
import { createSubscriptions, subscribe } from "../fixtures/publisher.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeRuns } from "../fixtures/rows/runs.ts";
import { signInAs } from "../fixtures/sign-in.ts";
import { type CampaignFixture, endRuns, inSeconds, makeDue, openCampaignFixture } from "./fixture.ts";

let fixture: CampaignFixture;

beforeAll(async () => {
  fixture = await openCampaignFixture();
});

test("a correction to a segment with forgotten readers is refused at the send and when due", async () => {
  const forgotten = { status: 409, body: { code: "readers_forgotten" } };
  const { actor, siteId, tenantId } = fixture.publisher;
  await subscribe(fixture.app, siteId, createSubscriptions(2));
  const rule = { subscribedWithinDays: 7 };
  const { segmentId: segment } = await addSegment(fixture.app, actor, { siteId, body: { name: "New", rule } });
  const wrong = await fixture.draft({ segment });
  const { runId } = (await fixture.post(wrong, "send")).body;
  await fixture.api.call("POST", `/v1/runs/${runId}/stop`, { key: fixture.publisher.apiKey });
  await endRuns(fixture.app);
  const write = () => fixture.draft({ title: "Right", corrects: wrong });
  const [now, later, due] = [await write(), await write(), await write()];
  const inDays = (days: number) => ({ scheduleAt: inSeconds(days * 86_400) });
  expect(await fixture.post(later, "schedule", inDays(7.1))).toMatchObject(forgotten);
  expect(await fixture.post(later, "schedule", inDays(6.9))).toMatchObject({ status: 200 });
  expect(await fixture.post(due, "schedule", inDays(1))).toMatchObject({ status: 200 });
  const cookie = await signInAs(fixture.app, fixture.api, tenantId, "editor");
  const asMember = async (verb: string, body: object) => {
    const path = `/dashboard/api/tenants/${tenantId}/campaigns/${now}/${verb}`;
    return fixture.api.call("POST", path, { headers: { cookie }, body });
  };
  expect(await asMember("approval-request", inDays(7.1))).toMatchObject(forgotten);

  // The run's lists are deleted in pieces. So the end of the run decides, and not the mark after the last piece.
  await changeRuns(fixture.app, { id: runId }, { finishedAt: ago("7 days") });
  expect(await fixture.create({ corrects: wrong })).toMatchObject({ status: 400 });
  expect(await fixture.post(now, "send")).toMatchObject(forgotten);
  expect(await asMember("undo-window", {})).toMatchObject(forgotten);
  expect(await fixture.read(now)).toMatchObject({ status: "draft" });
  await makeDue(fixture.app, due);
  await startDueSends(fixture.app);
  const failure = { code: "readers_forgotten", message: expect.stringContaining("are not stored any more") };
  expect(await fixture.read(due)).toMatchObject({ status: "failed", runId: null, failure });
});

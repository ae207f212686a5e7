import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { sendDueDigests } from "../../src/automations/digests/send-due-digests.ts";
import { sendDueWinBacks } from "../../src/automations/win-back/send-due-win-backs.ts";
import { rows } from "../../src/db/pool.ts";
import { finalCode } from "../../src/runs/ledger/codes.ts";
import { gates } from "../../src/sends/gates.ts";
import { startDueSends } from "../../src/sends/scheduler.ts";
import type { Answer, Api } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { changePlannedSends } from "../fixtures/rows/campaigns.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeRuns, writeCodes } from "../fixtures/rows/runs.ts";
import { changeSubscribers, insertDigests, insertWelcomes } from "../fixtures/rows/subscribers.ts";
import { ownerEmail, signIn, signInAs } from "../fixtures/sign-in.ts";
import { planAll } from "../runs/fixture.ts";
import { type CampaignFixture, campaignFixtureOf, openCampaignFixture } from "./fixture.ts";
import { openGates, PLANS, shut } from "./shut-gates.ts";
import { nextStep, step, welcomeWith } from "./welcome-fixture.ts";
import { winBackWith } from "./win-back-fixture.ts";

/**
 * A publisher with sends of every kind that wait: updates and corrections of a sent campaign, an approval, an undo
 * window, a digest, a welcome and a win-back.
 */
type World = {
  publisher: Publisher;
  update(): Promise<Answer>;
  correct(): Promise<Answer>;
  approve(): Promise<Answer>;
  passUndoWindow(): Promise<void>;
};

let app: App;
let api: Api;

beforeAll(async () => {
  ({ app, api } = await openCampaignFixture({ PLANS }));
});

const runsOf = async ({ siteId }: Publisher) =>
  (await rows(sql<{ kind: string }>`select kind from runs where site_id = ${siteId} order by created_at`, app.db)).map(
    ({ kind }) => kind,
  );

async function sendToBoth(fixture: CampaignFixture): Promise<string> {
  const campaignId = await fixture.draft();
  const { runId } = (await fixture.post(campaignId, "send")).body;
  await planAll(app);
  await writeCodes(app, runId, [finalCode.accepted, finalCode.accepted]);
  await changeRuns(app, { id: runId }, { status: "completed" });
  await insertDigests(app, fixture.publisher.siteId, runId);
  await insertWelcomes(app, fixture.publisher.siteId);
  return campaignId;
}

async function openWorld(): Promise<World> {
  const publisher = await createPublisher(app);
  const fixture = campaignFixtureOf(app, api, publisher);
  await welcomeWith(app, publisher, step(0));
  await subscribe(app, publisher.siteId, createSubscriptions(2));
  await changeSubscribers(app, { siteId: publisher.siteId }, { createdAt: ago("90 days") });
  await winBackWith(app, publisher);
  const sent = await sendToBoth(fixture);
  const as = (cookie: string) => (path: string, body?: unknown) =>
    api.call("POST", `/dashboard/api/tenants/${publisher.tenantId}${path}`, { headers: { cookie }, body });
  const editor = as(await signInAs(app, api, publisher.tenantId, "editor"));
  const owner = as(await signIn(api, ownerEmail(publisher.tenantId)));
  const [undoable, asked, correcting] = [
    await fixture.draft(),
    await fixture.draft(),
    await fixture.draft({ corrects: sent }),
  ];
  expect(await editor(`/campaigns/${undoable}/undo-window`, {})).toMatchObject({ status: 201 });
  const { requestId } = (await editor(`/campaigns/${asked}/approval-request`, {})).body;
  return {
    publisher,
    update: () => fixture.post(sent, "updates", { title: "Another" }),
    correct: () => fixture.post(correcting, "send"),
    approve: () => owner(`/campaigns/${asked}/approval-request/approve`, { requestId }),
    async passUndoWindow() {
      await changePlannedSends(app, { campaignId: undoable, status: "waiting" }, { startsEarlier: "10 seconds" });
      await startDueSends(app);
    },
  };
}

async function sendWhatIsDue(): Promise<void> {
  while ((await sendDueDigests(app)) > 0);
  await nextStep(app);
  await sendDueWinBacks(app);
}

/**
 * The gates of every kind of send. The limit of a class applies only to new campaigns. All other sends follow a
 * campaign or have none.
 */
const ofEverySend = gates.filter(({ code }) => code !== "class_limit");

test.for(ofEverySend)("$code shuts updates, corrections, approvals, undo windows and all automations", async (gate) => {
  const { publisher, update, correct, approve, passUndoWindow } = await openWorld();
  expect(await runsOf(publisher)).toEqual(["live"]);
  await shut[gate.code](app, publisher);
  for (const call of [update, correct, approve]) expect((await call()).body).toMatchObject({ code: gate.code });
  await passUndoWindow();
  await sendWhatIsDue();
  expect(await runsOf(publisher)).toEqual(["live"]);

  if (!gate.canReopen) return;
  await openGates(app, publisher);
  await sendWhatIsDue();
  expect((await runsOf(publisher)).sort()).toEqual(["digest", "live", "welcome", "win_back"]);
  expect(await approve()).toMatchObject({ status: 200 });
  expect(await update()).toMatchObject({ status: 202 });
});

test("class_limit shuts approvals and undo windows, and nothing that follows or is no campaign", async () => {
  const { publisher, update, correct, approve, passUndoWindow } = await openWorld();
  await shut.class_limit(app, publisher);
  expect((await approve()).body).toMatchObject({ code: "class_limit" });
  await passUndoWindow();
  expect(await runsOf(publisher)).toEqual(["live"]);
  await sendWhatIsDue();
  expect((await runsOf(publisher)).sort()).toEqual(["digest", "live", "welcome", "win_back"]);
  expect(await update()).toMatchObject({ status: 202 });
  expect(await correct()).toMatchObject({ status: 202 });
});

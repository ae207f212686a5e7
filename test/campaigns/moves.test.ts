import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { type CampaignStatus, campaignMoves, type StoredStatus, shownMoves } from "../../src/campaigns/states.ts";
import { endsOfPlannedSends } from "../../src/sends/states.ts";
import type { Answer } from "../fixtures/app.ts";
import { type CampaignFixture, inSeconds, openCampaignFixture, sendToReader } from "./fixture.ts";

type Campaign = { campaignId: string; runId: string | null };

/** Every call of the API that can change the state of a campaign. */
const calls = {
  schedule: (fixture: CampaignFixture, { campaignId }: Campaign) =>
    fixture.post(campaignId, "schedule", { scheduleAt: inSeconds(7_200) }),
  send: (fixture: CampaignFixture, { campaignId }: Campaign) => sendToReader(fixture, campaignId),
  cancel: (fixture: CampaignFixture, { campaignId }: Campaign) => fixture.post(campaignId, "cancel"),
  patch: (fixture: CampaignFixture, { campaignId }: Campaign) =>
    fixture.api.call("PATCH", `/v1/campaigns/${campaignId}`, { key: fixture.publisher.apiKey, body: { title: "New" } }),
  // The site has no test device. That answer shows that the campaign's state allows a test.
  test: (fixture: CampaignFixture, { campaignId }: Campaign) => fixture.post(campaignId, "test"),
  // A campaign without a run has nothing to stop. Its own id is not the id of a run.
  stop: (fixture: CampaignFixture, { campaignId, runId }: Campaign) =>
    fixture.api.call("POST", `/v1/runs/${runId ?? campaignId}/stop`, { key: fixture.publisher.apiKey }),
};

const refused = "409 illegal_transition";
const noDevice = "409 no_test_subscribers";
const noRun = "404 not_found";

/** The answer of each call, and the status that the campaign shows afterwards. */
const table: Record<CampaignStatus, Record<keyof typeof calls, string>> = {
  draft: {
    schedule: "200 scheduled",
    send: "202 sending",
    cancel: "200 cancelled",
    patch: "200 draft",
    test: `${noDevice} draft`,
    stop: `${noRun} draft`,
  },
  scheduled: {
    schedule: "200 scheduled",
    send: "202 sending",
    cancel: "200 cancelled",
    patch: `${refused} scheduled`,
    test: `${noDevice} scheduled`,
    stop: `${noRun} scheduled`,
  },
  sending: { ...allRefusedIn("sending"), stop: "200 stopped" },
  sent: allRefusedIn("sent"),
  stopped: { ...allRefusedIn("stopped"), stop: "200 stopped" },
  cancelled: { ...allRefusedIn("cancelled"), stop: `${noRun} cancelled` },
  failed: { ...allRefusedIn("failed"), stop: `${noRun} failed` },
};

function allRefusedIn(status: CampaignStatus) {
  const answer = `${refused} ${status}`;
  return { schedule: answer, send: answer, cancel: answer, patch: answer, test: answer, stop: answer };
}

describe("every call in every state", () => {
  let fixture: CampaignFixture;

  beforeAll(async () => {
    fixture = await openCampaignFixture();
  });

  const cases = Object.entries(table).flatMap(([status, answers]) =>
    Object.entries(answers).map(([name, answer]) => ({ status, name, answer })),
  ) as { status: CampaignStatus; name: keyof typeof calls; answer: string }[];

  test.for(cases)("$name of a campaign that is $status answers $answer", async ({ status, name, answer }) => {
    const campaign = await fixture.campaignThatIs(status);
    const got = await calls[name](fixture, campaign);
    const code = got.status < 300 ? "" : ` ${got.body.code}`;
    expect(`${got.status}${code} ${(await fixture.read(campaign.campaignId)).status}`).toBe(answer);
    if (got.body.code === "illegal_transition") expectAllowedMoves(got, status, name);
  });
});

/** Expects that a refusal names the campaign's status, the requested status, and the allowed ones. */
function expectAllowedMoves({ body }: Answer, status: CampaignStatus, name: string): void {
  expect(body).toMatchObject({ message: expect.any(String), requestId: expect.any(String), to: expect.any(String) });
  const isOfTheRun = name === "stop";
  expect(body.from).toBe(isOfTheRun ? "completed" : status);
  expect(body.allowed).toEqual(isOfTheRun ? [] : shownMoves[status]);
}

test("the database refuses each move that the table of moves lacks, and accepts the others", async () => {
  const fixture = await openCampaignFixture();
  const { siteId } = fixture.publisher;
  const states = Object.keys(campaignMoves) as StoredStatus[];
  const made = (id: string, status: StoredStatus) => sql`
    insert into campaigns (site_id, id, tenant_id, mode, status, url, title, body, force_send, created_by, failure)
    values (${siteId}, ${id}, ${fixture.publisher.tenantId}, 'manual', ${status}, 'https://news.example/', 'T', 'B', false,
      'test', ${status === "failed" ? '{"code":"missed","message":"late"}' : null})`;
  for (const from of states) {
    for (const to of states.filter((status) => status !== from)) {
      const id = crypto.randomUUID();
      await made(id, from).execute(fixture.app.db);
      const failure = to === "failed" ? '{"code":"missed","message":"late"}' : null;
      const move = sql`update campaigns set status = ${to}, failure = ${failure} where id = ${id}`.execute(
        fixture.app.db,
      );
      const isMove = (campaignMoves[from] as readonly string[]).includes(to);
      if (isMove) await expect(move, `${from} > ${to}`).resolves.toBeDefined();
      else await expect(move, `${from} > ${to}`).rejects.toThrow("may not move");
    }
  }
});

test("the database accepts the ends of planned sends that their table has, and no others", async () => {
  const fixture = await openCampaignFixture();
  const ends = new Set(Object.values(endsOfPlannedSends).flat());
  for (const [waitsFor, allowed] of Object.entries(endsOfPlannedSends)) {
    for (const status of ends) {
      const campaignId = await fixture.draft();
      const made =
        sql`insert into planned_sends (id, tenant_id, site_id, campaign_id, campaign_revision, waits_for, starts_at,
          expires_at, decided_by, status, ended_at)
        select gen_random_uuid(), tenant_id, site_id, id, revision, ${waitsFor}, now(),
          case when ${waitsFor} = 'approval' then now() end, (select m.user_id from members m where m.tenant_id = c.tenant_id),
          ${status}, now()
        from campaigns c where id = ${campaignId} returning id`.execute(fixture.app.db);
      const isEnd = (allowed as readonly string[]).includes(status);
      if (isEnd) await expect(made, `${waitsFor} > ${status}`).resolves.toMatchObject({ rows: [{}] });
      else await expect(made, `${waitsFor} > ${status}`).rejects.toThrow("planned_sends_ends");
    }
  }
});

import { expect, test } from "vitest";
import { startDatabaseProxy } from "./database-proxy.ts";
import type { FaultFixture } from "./fixture.ts";
import { type Call, now } from "./history.ts";
import { explains, type Operation } from "./linear-order.ts";
import { randomFrom } from "./random.ts";
import { sharedPostgres, withFixture } from "./suite.ts";

type Answer = Pick<Call, "at" | "endedAt" | "status" | "body">;

const postgres = sharedPostgres();

test("a hundred sends at once at two processes start one run, with any keys", () =>
  withFixture({ postgres, recipients: 50 }, async (fixture) => {
    const apis = await Promise.all([fixture.start("api"), fixture.start("api"), fixture.start("worker")]);
    const sendHundred = async (keyOf: (i: number) => string | undefined): Promise<Call[]> => {
      const path = `/v1/campaigns/${await fixture.create()}/send`;
      return Promise.all(
        Array.from({ length: 100 }, (_, i) => {
          const key = keyOf(i);
          const options = { url: apis[i % 2]!.url, ...(key !== undefined && { idempotencyKey: key }) };
          return untilAnswered(() => fixture.call("POST", path, options));
        }),
      );
    };
    const withOneKey = await sendHundred(() => "the-same");
    expect(counters(withOneKey)).toEqual({ "202 first": 1, "202 repeated": 99 });
    expect(new Set(withOneKey.map(({ body }) => body.runId)).size).toBe(1);
    expect(counters(await sendHundred((i) => `key-${i}`))).toEqual({ "202 first": 1, "409": 99 });
    expect(counters(await sendHundred(() => undefined))).toEqual({ "202 first": 1, "409": 99 });
    for (const { runId } of (await fixture.evidence()).runs) expect(await fixture.ended(runId)).toBe("completed");
    const violations = await fixture.violations();
    expect(violations.filter((text) => !/^5xx: POST .* answered 503$/.test(text))).toEqual([]);
  }));

test.each([
  { moment: "before commit" as const, runs: 0, duplicate: false },
  { moment: "after commit" as const, runs: 1, duplicate: true },
])("a send whose process is killed $moment gets no answer, and its retry gets the right one", async (row) => {
  const proxy = await startDatabaseProxy(postgres);
  await withFixture({ postgres, recipients: 100 }, async (fixture) => {
    const victim = await fixture.start("api", { proxy });
    const campaignId = await fixture.create();
    const path = `/v1/campaigns/${campaignId}/send`;
    const reached = proxy.reached(row.moment, /insert into runs/);
    const answer = fixture.call("POST", path, { idempotencyKey: "mine" });
    await reached;
    await victim.kill();
    expect((await answer).outcome).toBe("unknown");
    await Promise.all([fixture.start("api"), fixture.start("worker")]);
    expect((await fixture.evidence()).runs).toHaveLength(row.runs);
    const again = await fixture.call("POST", path, { idempotencyKey: "mine" });
    expect(again).toMatchObject({ status: 202, body: { duplicate: row.duplicate } });
    expect(await fixture.ended(again.body.runId as string)).toBe("completed");
    expect(await fixture.violations()).toEqual([]);
  });
});

test("sends that race a schedule, a cancel, a change, a pause and each other are linearizable", () =>
  withFixture({ postgres, recipients: 20 }, async (fixture) => {
    await Promise.all([fixture.start("api"), fixture.start("worker")]);
    const random = randomFrom(23);
    for (let round = 0; round < 60; round++) {
      const campaignId = await fixture.create();
      const operations = random.shuffled(operationsOn(campaignId)).slice(0, 6);
      const calls = await Promise.all(operations.map((operation) => perform(fixture, campaignId, operation)));
      const seen = calls.map((call, i) => ({ operation: operations[i]!, call }));
      const last = await fixture.call("GET", `/v1/campaigns/${campaignId}`);
      const text = seen
        .map(({ operation, call }) => `${operation.kind} ${operation.key ?? ""} ${call.status}`)
        .join(", ");
      expect(explains(seen, String(last.body.status)), `${text}; final status ${last.body.status}`).toBe(true);
      await fixture.pause(false);
    }
    for (const { runId } of (await fixture.evidence()).runs) await fixture.ended(runId);
    expect(await fixture.violations()).toEqual([]);
  }));

/**
 * Repeats a call as long as its answer asks for that. On a busy machine, some of a hundred calls wait too long for the
 * campaign's lock.
 */
async function untilAnswered(call: () => Promise<Call>): Promise<Call> {
  for (;;) {
    const answer = await call();
    if (answer.status !== 503 || !answer.hasRetryAfter) return answer;
  }
}

/** Counts the calls by their answer. */
function counters(calls: Call[]): Record<string, number> {
  const named = calls.map(({ status, body }) => {
    return status === 202 ? `202 ${body.duplicate === true ? "repeated" : "first"}` : String(status);
  });
  return Object.fromEntries([...Map.groupBy(named, (name) => name)].map(([name, all]) => [name, all.length]));
}

function operationsOn(campaignId: string): Operation[] {
  return [
    { kind: "send", key: `${campaignId} a` },
    { kind: "send", key: `${campaignId} a` },
    { kind: "send", key: `${campaignId} b` },
    { kind: "send", key: undefined },
    { kind: "schedule", key: undefined },
    { kind: "schedule", key: undefined },
    { kind: "cancel", key: undefined },
    { kind: "change", key: undefined },
    { kind: "pause", key: undefined },
    { kind: "resume", key: undefined },
  ];
}

function perform(fixture: FaultFixture, campaignId: string, { kind, key }: Operation): Promise<Answer> {
  if (kind === "pause" || kind === "resume") return performPause(fixture, kind === "pause");
  if (kind === "change")
    return fixture.call("PATCH", `/v1/campaigns/${campaignId}`, { body: { title: "Bridge is open" } });
  const path = `/v1/campaigns/${campaignId}/${kind}`;
  const tomorrow = { scheduleAt: new Date(Date.now() + 86_400_000).toISOString() };
  return fixture.call("POST", path, {
    ...(key !== undefined && { idempotencyKey: key.replace(" ", "-") }),
    ...(kind === "schedule" && { body: tomorrow }),
  });
}

/** Pauses or resumes the site directly as an operator does, without an answer of the API. */
async function performPause(fixture: FaultFixture, isPaused: boolean): Promise<Answer> {
  const at = now();
  await fixture.pause(isPaused);
  return { at, endedAt: now(), status: 0, body: {} };
}

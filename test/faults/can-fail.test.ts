import { sql } from "kysely";
import { expect, test } from "vitest";
import { rows } from "../../src/db/pool.ts";
import { eventually } from "../fixtures/eventually.ts";
import { scaleByLoad } from "../fixtures/machine-load.ts";
import { endLeasesOf, type FaultFixture, type FaultFixtureOptions, whenSending } from "./fixture.ts";
import { createMutant, type Edit } from "./mutant.ts";
import { sharedPostgres, withFixture } from "./suite.ts";

/** The lease ends sooner than the owner of the batch expects, so only the fence protects the batch. */
const shortLease: Edit[] = [
  {
    file: "runs/ledger/claim-batch.ts",
    from: `owner = \${owner}, not_before = null,
          lease_until = now() + make_interval(secs => \${leaseSeconds})`,
    to: `owner = \${owner}, not_before = null,
          lease_until = now() + make_interval(secs => 6)`,
  },
  {
    file: "runs/ledger/flush-batch.ts",
    from: `lease_until = case when \${isOpen} then now() + make_interval(secs => \${leaseSeconds}) end`,
    to: `lease_until = case when \${isOpen} then now() + make_interval(secs => 6) end`,
  },
];
const withoutFence: Edit = {
  file: "runs/ledger/flush-batch.ts",
  from: `and b.attempt = \${batch.attempt}
        and (b.owner = \${owner} or (b.owner is null and b.state = \${write.end.state}))
        and b.flush_no <= \${write.flushNo}`,
  to: "and b.state = 'open'",
};
const withoutIntent: Edit = {
  file: "runs/ledger/codes.ts",
  from: "return Math.min(triesOf(code) + 1, lastTry);",
  to: "return code;",
};
/** One of the subscribers of a batch is missing, as if they had unsubscribed. */
const oneReaderTooFew: Edit = {
  file: "runs/ledger/flush-batch.ts",
  from: "batchesOfRun, found };",
  to: "batchesOfRun, found: found.slice(1) };",
};
/** Two of the three protections against a second run of a campaign: its lock, and the guard of its state change. */
const withoutLockAndGuard: Edit[] = [
  {
    file: "campaigns/queries.ts",
    from: `where id = \${id} and tenant_id = \${tenantId} for no key update`,
    to: `where id = \${id} and tenant_id = \${tenantId}`,
  },
  {
    file: "campaigns/queries.ts",
    from: `and status = any(\${campaignStatesBefore(move.to)})`,
    to: `and status <> all(\${campaignStatesBefore("draft")})`,
  },
];

const postgres = sharedPostgres();

async function inMutant(
  edits: Edit[],
  options: Omit<FaultFixtureOptions, "postgres">,
  work: (fixture: FaultFixture) => Promise<void>,
) {
  const mutant = await createMutant(edits);
  try {
    await withFixture({ postgres, main: mutant.main, ...options }, work);
  } finally {
    await mutant.remove();
  }
}

/**
 * Freezes a worker until another one has one of its batches. Returns whether the check finds a repeat that was not
 * counted.
 */
async function findsUncountedRepeat(edits: Edit[]): Promise<boolean> {
  let isFound: boolean;
  await inMutant(edits, { recipients: 4_000, answerDelayMs: 2_500 }, async (fixture) => {
    const [frozen] = await Promise.all([fixture.start("worker"), fixture.start("worker"), fixture.start("api")]);
    const { runId } = await fixture.send();
    await fixture.push.received(400);
    await whenSending(fixture, frozen);
    const held = await batchesOf(fixture, frozen.pid);
    await frozen.freeze();
    // The worker is thawed as soon as another one has one of its batches, while the other still sends.
    await eventually(async () => (await batchesOf(fixture, frozen.pid)).length < held.length, scaleByLoad(30_000));
    frozen.thaw();
    await fixture.ended(runId).catch(() => {});
    isFound = (await fixture.violations()).some((fault) => fault.startsWith("repeat not counted"));
  });
  return isFound!;
}

test("the check can fail: with the fence all repeats of a frozen worker are counted", async () => {
  expect(await findsUncountedRepeat(shortLease)).toBe(false);
});

// The test is retried, because the other worker may write its last outcomes before the frozen one is thawed. Then there
// is no violation to find.
test("the check can fail: without the fence they are not", { retry: 2 }, async () => {
  expect(await findsUncountedRepeat([...shortLease, withoutFence])).toBe(true);
});

test("the check can fail: without intents, a killed worker's repeats were not uncertain", () =>
  inMutant([withoutIntent], { recipients: 3_000, answerDelayMs: 500 }, async (fixture) => {
    const [victim] = await Promise.all([fixture.start("worker"), fixture.start("api")]);
    const { runId } = await fixture.send();
    await fixture.push.received(600);
    await victim.kill();
    await endLeasesOf(fixture, victim);
    await fixture.start("worker");
    await fixture.ended(runId);
    const kinds = new Set((await fixture.violations()).map((fault) => fault.split(":")[0]));
    expect(kinds).toContain("repeat not counted");
    expect(kinds).toContain("repeat not explained");
  }));

test("the check can fail: one recipient too few counts readers as unsubscribed", () =>
  inMutant([oneReaderTooFew], { recipients: 500 }, async (fixture) => {
    await Promise.all([fixture.start("worker"), fixture.start("api")]);
    const { runId } = await fixture.send();
    await fixture.ended(runId);
    const kinds = new Set((await fixture.violations()).map((fault) => fault.split(":")[0]));
    expect(kinds).toEqual(new Set(["outcome without cause"]));
  }));

test.each([
  { what: "without the campaign's lock and guard the unique index alone prevents a second run", isDropped: false },
  { what: "without the index there are several runs", isDropped: true },
])("the check can fail: $what", ({ isDropped }) =>
  inMutant(withoutLockAndGuard, { recipients: 20 }, async (fixture) => {
    await fixture.start("api");
    if (isDropped) await sql`drop index one_live_run_a_campaign`.execute(fixture.app.db);
    const path = `/v1/campaigns/${await fixture.create()}/send`;
    const calls = Array.from({ length: 50 }, (_, i) => fixture.call("POST", path, { idempotencyKey: `key-${i}` }));
    await Promise.all(calls);
    const found = await fixture.violations();
    expect(found.some((fault) => fault.startsWith("second live run"))).toBe(isDropped);
  }),
);

/** Returns the numbers of the batches that a process holds. */
async function batchesOf(fixture: FaultFixture, pid: number): Promise<number[]> {
  const found = await rows(
    sql<{ no: number }>`select no from run_batches where state = 'open' and split_part(owner, '.', 1) = ${String(pid)}`,
    fixture.app.db,
  );
  return found.map(({ no }) => no);
}

import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import type { AnswerWith } from "../../fixtures/push-service/behaviours.ts";
import type { ProcessUnderTest } from "../process-under-test.ts";
import type { DatabaseProxy } from "../database-proxy.ts";
import type { FaultFixture } from "../fixture.ts";
import { now } from "../history.ts";
import type { OwnPostgres } from "../own-postgres.ts";
import type { Random } from "../random.ts";

/** What a fault has to work with. `stoppable`: a run that may be stopped. `usual`: how the push service answers when it is well. */
export type Arena = {
  fixture: FaultFixture;
  postgres: OwnPostgres;
  proxy: DatabaseProxy;
  random: Random;
  stoppable: Stoppable;
  usual: AnswerWith;
};
type Stoppable = { runId: string; apiKey: string };

/** What a fault holds while it lasts: two of the same do not overlap, two of others do. */
type Ground = "database" | "push service" | "pause" | "API";

/** A kind of fault. `strike` resolves when it has been healed, with what was done in a few words. */
export type Fault = { name: string; weight: number; ground?: Ground; strike(arena: Arena): Promise<string> };

/** The longest that a process is frozen: beyond the lease of 15 s. */
const longestFreezeMs = 17_000;
/** The streams of one HTTP/2 connection: so many answers may be lost with it. */
const streamsPerConnection = 100;

const faults: Fault[] = [
  {
    name: "kill -9",
    weight: 4,
    async strike({ fixture, random }) {
      const victim = random.pick(workersOf(fixture));
      if (victim === undefined) return nobody;
      await victim.kill();
      await startAnew(fixture, "worker");
      return victim.name;
    },
  },
  {
    name: "kill -9 of the API",
    weight: 1,
    ground: "API",
    async strike({ fixture }) {
      const victim = fixture.processes.find((member) => member.url !== "" && member.isAlive());
      if (victim === undefined) return nobody;
      await victim.kill();
      await startAnew(fixture, "api");
      return victim.name;
    },
  },
  {
    name: "freeze",
    weight: 3,
    async strike({ fixture, random }) {
      const sleeper = random.pick(workersOf(fixture));
      if (sleeper === undefined) return nobody;
      const ms = random.between(1, 4) === 4 ? longestFreezeMs : random.between(300, 4_000);
      await sleeper.freeze();
      await delay(ms);
      sleeper.thaw();
      return `${sleeper.name} for ${ms} ms`;
    },
  },
  {
    name: "replace",
    weight: 2,
    async strike({ fixture, random }) {
      const leaver = random.pick(workersOf(fixture));
      if (leaver === undefined) return nobody;
      await startAnew(fixture, "worker");
      const how = await leaver.terminate();
      // Cut off from its database while it drained. A kill was noted by who killed it.
      if (how !== 0 && how !== "SIGKILL")
        fixture.history.record({ kind: "process", name: leaver.name, pid: leaver.pid, event: "killed" });
      return `${leaver.name}, which ended with ${how}`;
    },
  },
  {
    name: "database crashes",
    weight: 2,
    ground: "database",
    async strike({ fixture, postgres }) {
      await fixture.withoutDatabase(postgres.crashAndRestart);
      return "and is back";
    },
  },
  {
    name: "connections cut",
    weight: 2,
    ground: "database",
    async strike({ fixture, proxy }) {
      fixture.history.record({ kind: "database", event: "cut" });
      proxy.cut();
      return "all of them";
    },
  },
  {
    name: "database hangs",
    weight: 1,
    ground: "database",
    async strike({ fixture, proxy, random }) {
      const ms = random.between(500, 4_000);
      await fixture.withoutDatabase(async () => {
        proxy.hang();
        await delay(ms);
        proxy.resume();
      });
      return `for ${ms} ms`;
    },
  },
  {
    name: "pause",
    weight: 1,
    ground: "pause",
    async strike({ fixture, random }) {
      const ms = random.between(200, 3_500);
      await untilDone(() => fixture.pause(true));
      await delay(ms);
      await untilDone(() => fixture.pause(false));
      return `for ${ms} ms`;
    },
  },
  {
    name: "stop",
    weight: 1,
    async strike({ fixture, stoppable }) {
      const { status } = await fixture.call("POST", `/v1/runs/${stoppable.runId}/stop`, { apiKey: stoppable.apiKey });
      return `the other run, answered ${status}`;
    },
  },
  {
    name: "readers leave",
    weight: 2,
    async strike({ fixture, random }) {
      const nth = random.between(0, 99);
      const leaving = fixture.readers
        .filter(({ index }) => index % 100 === nth)
        .map(({ subscriberId }) => subscriberId);
      fixture.history.record({ kind: "left", subscriberIds: leaving });
      await untilDone(() => sql`delete from subscribers where id = any(${leaving}::bigint[])`.execute(fixture.app.db));
      return `${leaving.length} of both publishers`;
    },
  },
  { name: "push service", weight: 5, ground: "push service", strike: troublePushService },
];

/** Each way in which a push service fails, and how many messages more than its receipts say may be uncertain by it. */
const troubles: { said: string; how: AnswerWith; uncertainAtMost?: number }[] = [
  { said: "410 for a twentieth", how: { behaviour: "gone", match: { fraction: 0.05, per: "message" } } },
  { said: "404 for a twentieth", how: { behaviour: "notFound", match: { fraction: 0.05, per: "message" } } },
  { said: "413 for a twentieth", how: { status: 413, match: { fraction: 0.05, per: "message" } } },
  { said: "500 for a fifth", how: { status: 500, match: { fraction: 0.2, per: "message" } } },
  { said: "503 for all", how: { behaviour: "unavailable", times: 300 } },
  { said: "429 with Retry-After", how: { behaviour: "throttle", times: 30 } },
  { said: "GOAWAY", how: { behaviour: "goaway", times: 3 } },
  { said: "streams refused", how: { behaviour: "refuseStream", times: 100 } },
  { said: "answers lost", how: { behaviour: "reset", match: { fraction: 0.1, per: "message" } } },
  {
    said: "connections reset",
    how: { behaviour: "resetConnection", times: 2 },
    uncertainAtMost: 2 * streamsPerConnection,
  },
  { said: "a black hole", how: { behaviour: "hang", times: 150 } },
  { said: "slow", how: { delayMs: 5_000 } },
];

async function troublePushService({ fixture, random, usual }: Arena): Promise<string> {
  const { said, how, uncertainAtMost = 0 } = random.pick(troubles);
  const ms = random.between(500, 3_000);
  const at = now();
  await fixture.push.answerWith({
    ...how,
    ...(how.match && { match: { ...how.match, seed: random.between(1, 1e6) } }),
  });
  await delay(ms);
  await fixture.push.clearBehaviours();
  await fixture.push.answerWith(usual);
  fixture.history.record({ kind: "push", at, endedAt: now(), fault: said, uncertainAtMost });
  return `${said} for ${ms} ms`;
}

/** A fault that the generator chooses, by their weights. */
export function chooseFault(random: Random): Fault {
  return random.pick(faults.flatMap((fault) => Array<Fault>(fault.weight).fill(fault)));
}

const tryAgainMs = 300;

/** Starts a process as a supervisor does: again and again, for without its database it ends at once. */
function startAnew(fixture: FaultFixture, role: "api" | "worker"): Promise<void> {
  return untilDone(() => fixture.start(role));
}

/** Tries until it succeeds: the database may be away. */
async function untilDone(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch {
      await delay(tryAgainMs);
    }
  }
}

const nobody = "nobody is alive";

function workersOf(fixture: FaultFixture): ProcessUnderTest[] {
  return fixture.processes.filter((member) => member.url === "" && member.isAlive());
}

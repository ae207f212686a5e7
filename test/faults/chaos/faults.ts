import { setTimeout as delay } from "node:timers/promises";
import type { AnswerWith } from "../../fixtures/push-service/behaviours.ts";
import { deleteSubscribers } from "../../fixtures/rows/subscribers.ts";
import type { DatabaseProxy } from "../database-proxy.ts";
import type { FaultFixture } from "../fixture.ts";
import { now } from "../history.ts";
import type { OwnPostgres } from "../own-postgres.ts";
import type { ProcessUnderTest } from "../process-under-test.ts";
import type { Random } from "../random.ts";

/**
 * What a fault acts on. `stoppable` is a run that a fault may stop. `usual` has the answers of the push service without
 * faults.
 */
export type FaultContext = {
  fixture: FaultFixture;
  postgres: OwnPostgres;
  proxy: DatabaseProxy;
  random: Random;
  stoppable: Stoppable;
  usual: AnswerWith;
};
type Stoppable = { runId: string; apiKey: string };

/** The resource that a fault occupies. Two faults of the same resource do not overlap. */
type Resource = "database" | "push service" | "pause" | "API";

/** A kind of fault. `inject` resolves when the fault has ended, with a short description. */
export type Fault = {
  name: string;
  weight: number;
  resource?: Resource;
  inject(context: FaultContext): Promise<string>;
};

/** The longest freeze of a process: longer than the lease of 15 s. */
const longestFreezeMs = 17_000;
/** The streams of one HTTP/2 connection. If the connection is reset, this many answers may be lost. */
const streamsPerConnection = 100;

const faults: Fault[] = [
  {
    name: "kill -9",
    weight: 4,
    async inject({ fixture, random }) {
      const victim = random.pick(workersOf(fixture));
      if (victim === undefined) return noneAlive;
      await victim.kill();
      await startUntilUp(fixture, "worker");
      return victim.name;
    },
  },
  {
    name: "kill -9 of the API",
    weight: 1,
    resource: "API",
    async inject({ fixture }) {
      const victim = fixture.processes.find(({ url, isAlive }) => url !== "" && isAlive());
      if (victim === undefined) return noneAlive;
      await victim.kill();
      await startUntilUp(fixture, "api");
      return victim.name;
    },
  },
  {
    name: "freeze",
    weight: 3,
    async inject({ fixture, random }) {
      const victim = random.pick(workersOf(fixture));
      if (victim === undefined) return noneAlive;
      const ms = random.between(1, 4) === 4 ? longestFreezeMs : random.between(300, 4_000);
      await victim.freeze();
      await delay(ms);
      victim.thaw();
      return `${victim.name} for ${ms} ms`;
    },
  },
  {
    name: "replace",
    weight: 2,
    async inject({ fixture, random }) {
      const old = random.pick(workersOf(fixture));
      if (old === undefined) return noneAlive;
      await startUntilUp(fixture, "worker");
      const status = await old.terminate();
      // The worker lost its database while it drained, which counts as a kill. After a SIGKILL, the fault that sent it
      // has recorded the kill.
      if (status !== 0 && status !== "SIGKILL")
        fixture.history.record({ kind: "process", name: old.name, pid: old.pid, event: "killed" });
      return `${old.name}, which ended with ${status}`;
    },
  },
  {
    name: "database crashes",
    weight: 2,
    resource: "database",
    async inject({ fixture, postgres }) {
      await fixture.withoutDatabase(postgres.crashAndRestart);
      return "and is back";
    },
  },
  {
    name: "connections cut",
    weight: 2,
    resource: "database",
    async inject({ fixture, proxy }) {
      fixture.history.record({ kind: "database", event: "cut" });
      proxy.cut();
      return "all of them";
    },
  },
  {
    name: "database hangs",
    weight: 1,
    resource: "database",
    async inject({ fixture, proxy, random }) {
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
    resource: "pause",
    async inject({ fixture, random }) {
      const ms = random.between(200, 3_500);
      await retry(() => fixture.pause(true));
      await delay(ms);
      await retry(() => fixture.pause(false));
      return `for ${ms} ms`;
    },
  },
  {
    name: "stop",
    weight: 1,
    async inject({ fixture, stoppable }) {
      const { status } = await fixture.call("POST", `/v1/runs/${stoppable.runId}/stop`, { apiKey: stoppable.apiKey });
      return `the other run, answered ${status}`;
    },
  },
  {
    name: "readers leave",
    weight: 2,
    async inject({ fixture, random }) {
      const nth = random.between(0, 99);
      const leaving = fixture.readers
        .filter(({ index }) => index % 100 === nth)
        .map(({ subscriberId }) => subscriberId);
      fixture.history.record({ kind: "left", subscriberIds: leaving });
      await retry(() => deleteSubscribers(fixture.app, { id: leaving }));
      return `${leaving.length} of both publishers`;
    },
  },
  { name: "push service", weight: 5, resource: "push service", inject: disturbPushService },
];

/**
 * Faults of a push service. `uncertainAtMost`: how many messages may be uncertain in addition to those whose receipts
 * say so.
 */
const pushFaults: { name: string; answer: AnswerWith; uncertainAtMost?: number }[] = [
  { name: "410 for a twentieth", answer: { behaviour: "gone", match: { fraction: 0.05, per: "message" } } },
  { name: "404 for a twentieth", answer: { behaviour: "notFound", match: { fraction: 0.05, per: "message" } } },
  { name: "413 for a twentieth", answer: { status: 413, match: { fraction: 0.05, per: "message" } } },
  { name: "500 for a fifth", answer: { status: 500, match: { fraction: 0.2, per: "message" } } },
  { name: "503 for all", answer: { behaviour: "unavailable", times: 300 } },
  { name: "429 with Retry-After", answer: { behaviour: "throttle", times: 30 } },
  { name: "GOAWAY", answer: { behaviour: "goaway", times: 3 } },
  { name: "streams refused", answer: { behaviour: "refuseStream", times: 100 } },
  { name: "answers lost", answer: { behaviour: "reset", match: { fraction: 0.1, per: "message" } } },
  {
    name: "connections reset",
    answer: { behaviour: "resetConnection", times: 2 },
    uncertainAtMost: 2 * streamsPerConnection,
  },
  { name: "a black hole", answer: { behaviour: "hang", times: 150 } },
  { name: "slow", answer: { delayMs: 5_000 } },
];

async function disturbPushService({ fixture, random, usual }: FaultContext): Promise<string> {
  const { name, answer, uncertainAtMost = 0 } = random.pick(pushFaults);
  const ms = random.between(500, 3_000);
  const at = now();
  await fixture.push.answerWith({
    ...answer,
    ...(answer.match && { match: { ...answer.match, seed: random.between(1, 1e6) } }),
  });
  await delay(ms);
  await fixture.push.clearBehaviours();
  await fixture.push.answerWith(usual);
  fixture.history.record({ kind: "push", at, endedAt: now(), fault: name, uncertainAtMost });
  return `${name} for ${ms} ms`;
}

/** Chooses a fault at random, by weight. */
export function chooseFault(random: Random): Fault {
  return random.pick(faults.flatMap((fault) => Array<Fault>(fault.weight).fill(fault)));
}

const retryMs = 300;

/** Starts a process, and starts it again until it is up, as a supervisor does. Without its database it ends at once. */
function startUntilUp(fixture: FaultFixture, role: "api" | "worker"): Promise<void> {
  return retry(() => fixture.start(role));
}

/** Repeats `work` until it succeeds, because the database may be away. */
async function retry(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch {
      await delay(retryMs);
    }
  }
}

const noneAlive = "none is alive";

function workersOf(fixture: FaultFixture): ProcessUnderTest[] {
  return fixture.processes.filter(({ url, isAlive }) => url === "" && isAlive());
}

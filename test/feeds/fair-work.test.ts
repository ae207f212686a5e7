import { beforeEach, expect, test, vi } from "vitest";
import { type Concern, claimLeaseMs, createFairWork, type FairWork, type Full } from "../../src/feeds/fair-work.ts";

type Piece = Concern & { name: string };

const limits = { inAll: 4, ofTenant: 2, ofHost: 3, slow: 1 };
let due: Piece[];
let underWay: Map<string, () => void>;
let work: FairWork;

const piece = (name: string, more: Partial<Concern> = {}): Piece => ({
  name,
  tenantId: `tenant of ${name}`,
  host: `host of ${name}`,
  isSlow: false,
  ...more,
});

function claimNext({ tenantIds, hosts, slow }: Full): Piece | undefined {
  const isFree = (each: Piece) =>
    !tenantIds.includes(each.tenantId) && !hosts.includes(each.host) && !(slow && each.isSlow);
  const next = due.findIndex(isFree);
  return next === -1 ? undefined : due.splice(next, 1)[0];
}

/** Ends a piece of work, and waits until everything that follows from this has happened. */
async function end(name: string): Promise<void> {
  underWay.get(name)!();
  await new Promise(setImmediate);
}

beforeEach(() => {
  due = [];
  underWay = new Map();
  work = createFairWork<Piece>({
    limits,
    claim: async (full) => claimNext(full),
    renew: async () => {},
    work: ({ name }) =>
      new Promise<void>((resolve) => underWay.set(name, resolve)).finally(() => underWay.delete(name)),
  });
});

test("as many pieces as the limit are at work, and the next follows each that ends", async () => {
  due = ["a", "b", "c", "d", "e", "f"].map((name) => piece(name));
  const idle = work.untilIdle();
  await new Promise(setImmediate);
  expect([...underWay.keys()]).toEqual(["a", "b", "c", "d"]);
  await end("c");
  expect([...underWay.keys()]).toEqual(["a", "b", "d", "e"]);
  for (const name of ["a", "b", "d", "e"]) await end(name);
  await end("f");
  await idle;
});

test.for([
  ["a tenant", { tenantId: "one" }, 2],
  ["a host", { host: "one" }, 3],
  ["slow work", { isSlow: true }, 1],
] as const)("%s that hangs leaves places for what is due after it", async ([, shared, most]) => {
  due = [...["a", "b", "c", "d", "e"].map((name) => piece(name, shared)), piece("other")];
  const idle = work.untilIdle();
  await new Promise(setImmediate);
  expect([...underWay.keys()]).toEqual([..."abcde".slice(0, most), "other"]);
  for (let left = 6; left > 0; left--) await end([...underWay.keys()][0]!);
  await idle;
});

test("what becomes free when a piece ends during a look for more is found too", async () => {
  due = ["a", "b"].map((name) => piece(name));
  const done: string[] = [];
  let looks = 0;
  await createFairWork<Piece>({
    limits,
    async claim(full) {
      looks++;
      if (looks !== 2) return claimNext(full);
      // The piece ends during this look, which still sees it at work.
      await new Promise(setImmediate);
      return undefined;
    },
    renew: async () => {},
    work: async ({ name }) => void done.push(name),
  }).untilIdle();
  expect(done).toEqual(["a", "b"]);
});

test("a claim is renewed three times within its lease, until its work has ended", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    due = [piece("a"), piece("b")];
    const renewed: string[] = [];
    work = createFairWork<Piece>({
      limits,
      claim: async (full) => claimNext(full),
      renew: async ({ name }) => {
        renewed.push(name);
        throw new Error("the database is away");
      },
      work: ({ name }) => new Promise<void>((resolve) => underWay.set(name, resolve)),
    });
    const idle = work.untilIdle();
    await new Promise(setImmediate);
    vi.advanceTimersByTime(claimLeaseMs - 1);
    expect(renewed).toEqual(["a", "b", "a", "b"]);
    await end("a");
    vi.advanceTimersByTime(claimLeaseMs);
    expect(renewed.slice(4)).toEqual(["b", "b", "b"]);
    await end("b");
    await idle;
    vi.advanceTimersByTime(claimLeaseMs);
    expect(renewed).toHaveLength(7);
  } finally {
    vi.useRealTimers();
  }
});

test("stop lets nothing start any more, and waits for what is at work", async () => {
  due = ["a", "b", "c", "d", "e"].map((name) => piece(name));
  const faults: unknown[] = [];
  const loop = work.start(10, (error) => faults.push(error));
  await new Promise(setImmediate);
  expect(underWay.size).toBe(4);
  let hasStopped = false;
  const stopped = loop.stop().then(() => {
    hasStopped = true;
  });
  for (const name of ["a", "b", "c"]) await end(name);
  expect(hasStopped).toBe(false);
  await end("d");
  await stopped;
  expect(due).toHaveLength(1);
  expect(faults).toEqual([]);
});

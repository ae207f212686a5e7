import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Which connections of a database a request may use. `readers`: a few of their own, so that a rush of readers takes
 * none from others. `reserved`: the general ones, and if these are taken, a few that nothing else uses.
 */
export type ConnectionShare = "general" | "readers" | "reserved";

/**
 * How much longer a request may wait for the database: `leftMs` at the time `asOfMs`, on the clock of
 * `performance.now()`; and its share of the connections, by default `general`. Once it is used up, the request is
 * answered 503 instead of waiting on, so that a lock or an exhausted pool blocks no request for long. `party`: whose
 * request it is, a tenant or, where that is not known, a person or an address; each party may use only some of the
 * connections at once (tenant-share.ts).
 */
export type WaitBudget = { leftMs: number; asOfMs: number; share?: ConnectionShare; party?: string | undefined };

/**
 * The whole budget: how long a request may wait in a row for free connections, as often as it needs one. Each lock, in
 * a transaction or not, may take what is left of it (statement-limits.ts, `inTenant`). Waiting for a lock that is
 * granted in time counts as work, so a request that waits for several locks in turn may take as long as its answer may
 * (server.ts).
 */
export const waitBudgetMs = 3_000;

const currentBudget = new AsyncLocalStorage<WaitBudget>();

/** Creates the budget of one request. */
export function newWaitBudget(share: ConnectionShare = "general", party?: string): WaitBudget {
  return { leftMs: waitBudgetMs, asOfMs: performance.now(), share, party };
}

/** Runs `work`, and all that it awaits, with this budget. */
export function withWaitBudget<T>(budget: WaitBudget, work: () => T): T {
  return currentBudget.run(budget, work);
}

/** Whether the caller works for a request, so that a caller waits for its end. Background work has no budget. */
export function hasWaitBudget(): boolean {
  return currentBudget.getStore() !== undefined;
}

/** Returns the caller's share of the connections. Background work has the general one. */
export function connectionShare(): ConnectionShare {
  return currentBudget.getStore()?.share ?? "general";
}

/** Returns whose request the caller works for. Undefined for background work. */
export function partyOfCaller(): string | undefined {
  return currentBudget.getStore()?.party;
}

/**
 * Returns how long the caller may wait now, in ms: the whole budget for background work. The time that a request spends
 * on anything but waiting is added to its budget again, up to the whole.
 */
export function waitBudgetLeftMs(): number {
  const budget = currentBudget.getStore();
  if (budget === undefined) return waitBudgetMs;
  return Math.min(waitBudgetMs, budget.leftMs + (performance.now() - budget.asOfMs));
}

const noConnection = () => new Error("timeout exceeded when trying to connect");

/**
 * Waits for `connecting` as long as this request's budget lasts. Throws `onTimeout`, by default an error that
 * `isDatabaseAway` recognizes, when the budget ends first, and then releases the connection when it comes. Background
 * work waits without a limit.
 */
export async function waitWithinBudget<Client extends { release(): void }>(
  connecting: Promise<Client>,
  onTimeout: () => Error = noConnection,
): Promise<Client> {
  const budget = currentBudget.getStore();
  if (budget === undefined) return connecting;
  const leftMs = waitBudgetLeftMs();
  const startedMs = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(onTimeout());
      connecting.then(
        (client) => client.release(),
        () => {},
      );
    }, leftMs);
  });
  try {
    return await Promise.race([connecting, timeout]);
  } finally {
    clearTimeout(timer);
    budget.asOfMs = performance.now();
    budget.leftMs = leftMs - (budget.asOfMs - startedMs);
  }
}

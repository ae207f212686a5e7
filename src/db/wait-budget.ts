import { AsyncLocalStorage } from "node:async_hooks";

/**
 * The connections of a database that a request may use. `readers`: a few connections of their own, so that a rush of
 * readers takes none from others. `reserved`: the general connections, and if these are taken, a few that nothing
 * else uses.
 */
export type ConnectionShare = "general" | "readers" | "reserved";

/**
 * How much longer a request may wait for the database. When the budget is used up, the request is answered 503
 * instead of waiting on, so that a lock or an exhausted pool blocks no request for long.
 *
 * - `leftMs`: the time left at `asOfMs`, on the clock of `performance.now()`.
 * - `share`: the share of the connections, by default `general`.
 * - `party`: whose request it is: a tenant or, if that is not known, a person or an address. Each party may use only
 *   some of the connections at once (tenant-share.ts).
 */
export type WaitBudget = { leftMs: number; asOfMs: number; share?: ConnectionShare; party?: string | undefined };

/**
 * The whole budget: how long a request may wait in a row for free connections, each time it needs one. Each lock, in
 * a transaction or not, may take what is left of the budget (statement-limits.ts, `inTenant`). A wait for a lock that
 * is granted in time counts as work. So a request that waits for several locks in turn may take as long as its answer
 * may (server.ts).
 */
export const waitBudgetMs = 3_000;

const currentBudget = new AsyncLocalStorage<WaitBudget>();

/** Creates the budget of one request. */
export function newWaitBudget(share: ConnectionShare = "general", party?: string): WaitBudget {
  return { leftMs: waitBudgetMs, asOfMs: performance.now(), share, party };
}

/** Runs `work`, and everything that it awaits, with this budget. */
export function withWaitBudget<T>(budget: WaitBudget, work: () => T): T {
  return currentBudget.run(budget, work);
}

/** Returns whether the caller works for a request, for whose end somebody waits. Background work has no budget. */
export function hasWaitBudget(): boolean {
  return currentBudget.getStore() !== undefined;
}

/** Returns the caller's share of the connections. Background work has the general share. */
export function connectionShare(): ConnectionShare {
  return currentBudget.getStore()?.share ?? "general";
}

/** Returns the party whose request the caller works for; undefined for background work. */
export function partyOfCaller(): string | undefined {
  return currentBudget.getStore()?.party;
}

/**
 * Returns how long the caller may wait now, in ms. Background work has the whole budget. The time that a request
 * spends on anything but waiting is added to its budget again, up to the whole budget.
 */
export function waitBudgetLeftMs(): number {
  const budget = currentBudget.getStore();
  if (budget === undefined) return waitBudgetMs;
  return Math.min(waitBudgetMs, budget.leftMs + (performance.now() - budget.asOfMs));
}

const noConnection = () => new Error("timeout exceeded when trying to connect");

/**
 * Waits for `connecting` as long as this request's budget lasts. If the budget ends first, throws `onTimeout`, by
 * default an error that `isDatabaseAway` recognizes, and releases the connection when it comes. Background work waits
 * without a limit.
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

import { AsyncLocalStorage } from "node:async_hooks";

/**
 * What is left of a request's patience with the database. Who asks is told 503 when it is used up, rather than kept
 * waiting with all who come after: a lock that is held, or a pool that is used up, then holds nobody for long.
 */
export type WaitBudget = { leftMs: number; asOfMs: number };

/**
 * How long a request waits in a row: for a free connection, as often as it needs one, and with what is left of it for any
 * one lock, in a transaction or not (database.ts). A lock that comes in time counts as work: who waits for several in
 * turn may take until its answer is due anyway (server.ts).
 */
export const waitBudgetMs = 3_000;

const ofThisRequest = new AsyncLocalStorage<WaitBudget>();

/** WaitBudget for one request. */
export function newWaitBudget(): WaitBudget {
  return { leftMs: waitBudgetMs, asOfMs: performance.now() };
}

/** Does `work`, and all that it awaits, with this patience. */
export function withWaitBudget<T>(patience: WaitBudget, work: () => T): T {
  return ofThisRequest.run(patience, work);
}

/** Whether this is work for a request, which somebody waits for. */
export function hasWaitBudget(): boolean {
  return ofThisRequest.getStore() !== undefined;
}

/** What this request, or work that nobody waits for, may wait now, in ms. What goes on meanwhile is paid back. */
export function waitBudgetLeftMs(): number {
  const patience = ofThisRequest.getStore();
  if (patience === undefined) return waitBudgetMs;
  return Math.min(waitBudgetMs, patience.leftMs + (performance.now() - patience.asOfMs));
}

/**
 * Waits for a connection no longer than the patience of this request: then it throws, and gives `connecting` back when it
 * comes. Work that nobody waits for waits as long as `connecting` does.
 */
export async function waitWithinBudget<Client extends { release(): void }>(
  connecting: Promise<Client>,
): Promise<Client> {
  const patience = ofThisRequest.getStore();
  if (patience === undefined) return connecting;
  const leftMs = waitBudgetLeftMs();
  const begunMs = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const isOver = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error("timeout exceeded when trying to connect"));
      connecting.then(
        (client) => client.release(),
        () => {},
      );
    }, leftMs);
  });
  try {
    return await Promise.race([connecting, isOver]);
  } finally {
    clearTimeout(timer);
    patience.asOfMs = performance.now();
    patience.leftMs = leftMs - (patience.asOfMs - begunMs);
  }
}

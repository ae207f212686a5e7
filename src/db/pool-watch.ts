import type pg from "pg";

/** How the connections of one share (wait-budget.ts) are used now. `waiting`: callers that wait for one. */
export type PoolUse = { share: string; busy: number; idle: number; waiting: number };

/** What the pools of a process are asked for, for its metrics. */
export type PoolWatch = {
  /** Tells of pools by the name of their share. Called by `openDatabase`. */
  open(pools: Record<string, pg.Pool>): void;
  /** Counts a caller that had to wait for a connection, this long, ms, whether it then got one or gave up. */
  waited(ms: number): void;
  /** The use of each pool now, and since the start the number of waits and the seconds that they took together. */
  read(): { pools: PoolUse[]; waits: number; waitSeconds: number };
};

/** Creates a watch over the pools of one `openDatabase`. */
export function createPoolWatch(): PoolWatch {
  let watched: [string, pg.Pool][] = [];
  let waits = 0;
  let waitSeconds = 0;
  return {
    open(pools) {
      watched = Object.entries(pools);
    },
    waited(ms) {
      waits++;
      waitSeconds += ms / 1_000;
    },
    read() {
      const pools = watched.map(([share, { totalCount, idleCount, waitingCount }]) => {
        return { share, busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
      });
      return { pools, waits, waitSeconds };
    },
  };
}

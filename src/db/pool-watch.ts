import type pg from "pg";

/** The current use of one share's connections (wait-budget.ts). `waiting`: how many callers wait for a connection. */
export type PoolUse = { share: string; busy: number; idle: number; waiting: number };

/** A watch over the use of a process's pools, for its metrics. */
export type PoolWatch = {
  /** Registers the pools, by the name of their share. `openDatabase` calls it. */
  open(pools: Record<string, pg.Pool>): void;
  /** Counts a caller that waited for a connection for `ms`, whether it then got one or gave up. */
  waited(ms: number): void;
  /**
   * Returns the current use of each pool, the number of waits since the start, and the seconds that they took in
   * total.
   */
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

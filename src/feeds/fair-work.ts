import { type PollLoop, startPollLoop } from "../poll-loop.ts";

/**
 * The tenant and host of a piece of work. `host`: the host of the server that is asked. `isSlow`: the work has failed
 * before and may hang again.
 */
export type Concern = { tenantId: string; host: string; isSlow: boolean };

/**
 * The most pieces of work that one process does at once. The limits of a tenant, of a host and of slow work are lower.
 */
export type Limits = { inAll: number; ofTenant: number; ofHost: number; slow: number };

/** The tenants, hosts and slow work that have used up their limits, so that no more of them is claimed now. */
export type Full = { tenantIds: string[]; hosts: string[]; slow: boolean };

/**
 * How long a claim holds without a renewal. When a process is killed, others take over its work after this time. A
 * claim is renewed three times within it.
 */
export const claimLeaseMs = 15_000;

export type WorkOptions<Claim extends Concern> = {
  limits: Limits;
  /** Claims the next piece of work that is due and does not belong to `full`. Returns undefined if there is none. */
  claim(full: Full): Promise<Claim | undefined>;
  /** Extends a claim by another `claimLeaseMs`, while `work` runs. */
  renew(claim: Claim): Promise<void>;
  /** Does the work. `signal` asks to end early. Must not reject. */
  work(claim: Claim, signal: AbortSignal): Promise<void>;
};

/** Work with servers of strangers. Some servers hang, but they delay no other tenant, host or piece of work. */
export type FairWork = {
  /** Works until nothing more is due. */
  untilIdle(signal?: AbortSignal): Promise<void>;
  /** Works until it is stopped, and looks for due work at least every `everyMs`. `onFault` gets what `claim` throws. */
  start(everyMs: number, onFault: (error: unknown) => void): PollLoop;
};

/** Creates work that starts a piece as soon as another has ended, so that it never waits for the slowest. */
export function createFairWork<Claim extends Concern>(options: WorkOptions<Claim>): FairWork {
  const { limits, claim, renew, work } = options;
  const underWay = new Map<Promise<void>, Claim>();
  let ended = 0;
  let onEnd = () => {};

  function full(): Full {
    const claims = [...underWay.values()];
    return {
      tenantIds: mostOf(claims, limits.ofTenant, ({ tenantId }) => tenantId),
      hosts: mostOf(claims, limits.ofHost, ({ host }) => host),
      slow: claims.filter(({ isSlow }) => isSlow).length >= limits.slow,
    };
  }

  async function workOn(claimed: Claim, signal: AbortSignal): Promise<void> {
    // If a renewal fails, the next one repeats it. If none succeeds, the fence keeps the work from writing anything.
    const renewal = setInterval(() => void renew(claimed).catch(() => {}), claimLeaseMs / 3);
    try {
      await work(claimed, signal);
    } finally {
      clearInterval(renewal);
    }
  }

  async function fill(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && underWay.size < limits.inAll) {
      const claimed = await claim(full());
      if (claimed === undefined) return;
      const done = workOn(claimed, signal).finally(() => {
        underWay.delete(done);
        ended++;
        onEnd();
      });
      underWay.set(done, claimed);
    }
  }

  return {
    async untilIdle(signal = new AbortController().signal) {
      let endedBefore: number;
      do {
        endedBefore = ended;
        await fill(signal);
        if (underWay.size > 0) await Promise.race(underWay.keys());
        // A piece that ended during the last look may have made more work due, or freed a limit, which that look did
        // not see.
      } while (ended > endedBefore);
    },
    start(everyMs, onFault) {
      const loop = startPollLoop({ round: fill, everyMs, onFault });
      onEnd = loop.wake;
      return {
        async stop() {
          await loop.stop();
          await Promise.all(underWay.keys());
        },
      };
    },
  };
}

/** Returns the names that at least `limit` of the claims have. */
function mostOf<Claim>(claims: Claim[], limit: number, nameOf: (claim: Claim) => string): string[] {
  return [...Map.groupBy(claims, nameOf)].filter(([, those]) => those.length >= limit).map(([name]) => name);
}

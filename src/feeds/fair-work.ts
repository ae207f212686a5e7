import { type PollLoop, startPollLoop } from "../poll-loop.ts";

/**
 * The tenant and host of a piece of work. `host`: of the server that is asked. `isSlow`: it has failed before, and may
 * hang again.
 */
export type Concern = { tenantId: string; host: string; isSlow: boolean };

/**
 * Pieces of work that one process does at once, at most. The limits of a tenant, of a host and of slow work are lower.
 */
export type Limits = { inAll: number; ofTenant: number; ofHost: number; slow: number };

/** What must not be claimed now, because it has used up its limit. */
export type Full = { tenantIds: string[]; hosts: string[]; slow: boolean };

/**
 * For how long a claim holds without a renewal: so soon others take over what a process that was killed has begun.
 * Renewed three times within it.
 */
export const claimLeaseMs = 15_000;

export type WorkOptions<Claim extends Concern> = {
  limits: Limits;
  /** Claims the next piece of work that is due and not of `full`. Undefined: there is none. */
  claim(full: Full): Promise<Claim | undefined>;
  /** Holds a claim for another `claimLeaseMs`, while `work` is at it. */
  renew(claim: Claim): Promise<void>;
  /** Does it. `signal` asks to end early. Must not reject. */
  work(claim: Claim, signal: AbortSignal): Promise<void>;
};

/** Work at servers of strangers, some of which hang: these delay no other tenant, host or piece of work. */
export type FairWork = {
  /** Works until nothing is due any more. */
  untilIdle(signal?: AbortSignal): Promise<void>;
  /** Works until it is stopped, and looks for what is due at least every `everyMs`. `onFault`: what `claim` throws. */
  start(everyMs: number, onFault: (error: unknown) => void): PollLoop;
};

/** Creates work that starts a piece as soon as another has ended, and so never waits for the slowest. */
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
    // A renewal that fails is repeated by the next one. Where none succeeds the work is fenced.
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
        // What ended during the last look may have made something due or free that it did not see.
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

/** The names that at least `limit` of the claims have. */
function mostOf<Claim>(claims: Claim[], limit: number, nameOf: (claim: Claim) => string): string[] {
  return [...Map.groupBy(claims, nameOf)].filter(([, those]) => those.length >= limit).map(([name]) => name);
}

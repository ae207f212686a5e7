import type pg from "pg";
import { appError } from "../errors.ts";
import { type ConnectionShare, connectionShare, partyOfCaller, waitWithinBudget } from "./wait-budget.ts";

/** A place among the connections that one party may use at once. */
export type Place = { release(): void };

/** The places of each party (wait-budget.ts) at one set of connections. */
export type TenantShare = {
  /**
   * Returns a place of the caller's party, at once if one is free, or else when it is the caller's turn. Returns
   * undefined for background work, which belongs to no party.
   */
  enter(): Promise<Place> | undefined;
};

type Line = { taken: number; waiting: (() => void)[] };

/**
 * The longest line of one party. Further requests of the party are refused at once, because they would wait in vain.
 */
export const longestLine = 100;

/**
 * Creates shares of connections. Each party may use `ofParty` connections at the same time. Its other requests wait
 * in a line of the party before they reach the pool. The pool serves in order, so nobody waits there behind more than
 * `ofParty` requests of one party.
 */
export function createTenantShare(ofParty: number): TenantShare {
  const lines = new Map<string, Line>();

  function leave(party: string, line: Line): void {
    const next = line.waiting.shift();
    if (next !== undefined) {
      next();
      return;
    }
    line.taken--;
    if (line.taken === 0) lines.delete(party);
  }

  return {
    enter() {
      const party = partyOfCaller();
      if (party === undefined) return undefined;
      const line = lines.get(party) ?? { taken: 0, waiting: [] };
      lines.set(party, line);
      const place = { release: () => leave(party, line) };
      if (line.taken < ofParty) {
        line.taken++;
        return Promise.resolve(place);
      }
      if (line.waiting.length >= longestLine) return Promise.reject(shareTaken());
      return new Promise((resolve) => line.waiting.push(() => resolve(place)));
    },
  };
}

/**
 * Returns the error for a request that waited too long for other requests of its party, or that finds their line
 * full.
 */
function shareTaken(): Error {
  const message =
    "Too many requests of this tenant ask the database at once, and it has a share for each. Send fewer at a time, and " +
    "this one again shortly.";
  return appError("unavailable", { message });
}

export type TenantShares = Record<ConnectionShare, TenantShare>;

/**
 * Creates the tenants' shares of the pools. In each share of connections, a tenant uses at most `tenantMax`
 * connections, and at most one fewer than there are. Connections of reserved routes are counted separately, so that a
 * tenant's own reads never keep it from stopping a send.
 */
export function createTenantShares(pools: Record<ConnectionShare, pg.Pool>, tenantMax: number): TenantShares {
  const { general, readers, reserved } = pools;
  const shareOf = (max: number) => createTenantShare(Math.max(1, Math.min(tenantMax, max - 1)));
  return {
    general: shareOf(general.options.max),
    readers: shareOf(readers.options.max),
    reserved: shareOf(general.options.max + reserved.options.max),
  };
}

/** Connects once the caller's party has a place. The place is free again when the connection is released. */
export async function connectInShare(
  shares: TenantShares | undefined,
  connect: () => Promise<pg.PoolClient>,
): Promise<pg.PoolClient> {
  const entering = shares?.[connectionShare()].enter();
  if (entering === undefined) return connect();
  const place = await waitWithinBudget(entering, shareTaken);
  try {
    const client = await connect();
    const release = client.release;
    client.release = (error) => {
      release.call(client, error);
      place.release();
    };
    return client;
  } catch (error) {
    place.release();
    throw error;
  }
}

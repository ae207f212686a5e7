import type { Executor } from "../db/pool.ts";
import { isOriginOfAnySite, siteAddresses } from "../tenants/sites/queries.ts";
import { originsOf } from "../tenants/sites/reader-settings.ts";

/** How long the answer for an origin is kept, in ms. An unknown origin may belong to a site that was just added. */
const keptMs = { known: 10_000, unknown: 1_000 };
/**
 * The most known and the most unknown origins whose answers are kept. Anybody may name any number of unknown origins.
 */
const keptAtMost = 1_000;
/** The longest origin: a site's URL is not longer, so its origin is not either. */
const longestOrigin = 2_048;

/** The origins whose pages may write on behalf of readers. */
export type ReaderOrigins = {
  /**
   * Returns the tenant and the origins of a site; undefined for an unknown site, and for a removed one without
   * `alsoRemoved`.
   */
  ofSite(siteId: string, alsoRemoved?: boolean): Promise<{ tenantId: string; origins: string[] } | undefined>;
  /**
   * Returns whether any site has this origin. The answer is kept for a while, because thousands of receipts come each
   * second.
   */
  isOfAnySite(origin: string): Promise<boolean>;
};

/** An answer for an origin, kept until `endsMs`. */
type Kept = { isOfSite: boolean; endsMs: number };

/** Creates the origins. `now`: the clock for kept answers, in ms. */
export function createReaderOrigins({ db }: { db: Executor }, now = () => performance.now()): ReaderOrigins {
  const kept = { known: new Map<string, Kept>(), unknown: new Map<string, Kept>() };
  const lookingUp = new Map<string, Promise<boolean>>();

  function keep(origin: string, isOfSite: boolean): void {
    const [kind, other] = isOfSite ? (["known", "unknown"] as const) : (["unknown", "known"] as const);
    kept[other].delete(origin);
    // The origin moves to the end of the map, so that the first origin is the one that was looked up longest ago.
    kept[kind].delete(origin);
    kept[kind].set(origin, { isOfSite, endsMs: now() + keptMs[kind] });
    if (kept[kind].size > keptAtMost) kept[kind].delete(kept[kind].keys().next().value!);
  }

  /** Asks the database once for all concurrent callers. While the database is away, a known origin stays known. */
  function lookUp(origin: string, last: Kept | undefined): Promise<boolean> {
    const answer = isOriginOfAnySite(db, origin)
      .then((isOfSite) => {
        keep(origin, isOfSite);
        return isOfSite;
      })
      .catch((error: unknown) => {
        if (last?.isOfSite !== true) throw error;
        keep(origin, true);
        return true;
      })
      .finally(() => lookingUp.delete(origin));
    lookingUp.set(origin, answer);
    return answer;
  }

  return {
    async ofSite(siteId, alsoRemoved = false) {
      const site = await siteAddresses(db, siteId, alsoRemoved);
      return site && { tenantId: site.tenantId, origins: originsOf(site) };
    },
    async isOfAnySite(origin) {
      if (origin.length > longestOrigin) return false;
      const last = kept.known.get(origin) ?? kept.unknown.get(origin);
      if (last !== undefined && now() < last.endsMs) return last.isOfSite;
      return lookingUp.get(origin) ?? lookUp(origin, last);
    },
  };
}

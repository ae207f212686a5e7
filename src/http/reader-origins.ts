import type { App } from "../app.ts";
import { siteAddresses } from "../tenants/sites/queries.ts";
import { originsOf } from "../tenants/sites/reader-settings.ts";

const freshMs = 10_000;
const recheckMs = 1_000;

/** The origins whose pages may write on behalf of readers. */
export type ReaderOrigins = {
  /** The tenant and the origins of a site; undefined for an unknown site. */
  ofSite(siteId: string): Promise<{ tenantId: string; origins: string[] } | undefined>;
  /** Whether any site has this origin. Cached for 10 s: receipts come by the thousand a second. */
  isOfAnySite(origin: string): Promise<boolean>;
};

export function createReaderOrigins(app: App): ReaderOrigins {
  let known: Promise<Set<string>> | undefined;
  let readMs = Number.NEGATIVE_INFINITY;

  async function readAll(): Promise<Set<string>> {
    return new Set((await siteAddresses(app.db, null)).flatMap(originsOf));
  }

  /** Reads the origins again when they are older than `olderThanMs`. Keeps the old ones while the database is away. */
  function refresh(olderThanMs: number): Promise<Set<string>> {
    if (known !== undefined && performance.now() - readMs < olderThanMs) return known;
    readMs = performance.now();
    const before = known;
    known = readAll().catch((error: unknown) => {
      if (before !== undefined) return before;
      known = undefined;
      throw error;
    });
    return known;
  }

  return {
    async ofSite(siteId) {
      const [site] = await siteAddresses(app.db, siteId);
      return site && { tenantId: site.tenantId, origins: originsOf(site) };
    },
    async isOfAnySite(origin) {
      // An unknown origin is looked up again after 1 s: it may be of a site that was just added.
      return (await refresh(freshMs)).has(origin) || (await refresh(recheckMs)).has(origin);
    },
  };
}

import type { App } from "../app.ts";
import { siteAddresses } from "../tenants/sites/queries.ts";
import { originsOf } from "../tenants/sites/reader-settings.ts";

const freshMs = 10_000;
const askAgainMs = 1_000;

/** Where the pages come from that may speak for readers: of a site, or of any. */
export type ReaderOrigins = {
  /** Undefined where there is no such site. */
  ofSite(siteId: string): Promise<string[] | undefined>;
  /** Whether some site has this origin. Remembered for 10 s: events come by the thousand a second. */
  isOfAnySite(origin: string): Promise<boolean>;
};

export function createReaderOrigins(app: App): ReaderOrigins {
  let known: Promise<Set<string>> | undefined;
  let readMs = Number.NEGATIVE_INFINITY;

  async function readAll(): Promise<Set<string>> {
    return new Set((await siteAddresses(app.db, null)).flatMap(originsOf));
  }

  /** What is known is used on while the database is away. */
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
      return site && originsOf(site);
    },
    async isOfAnySite(origin) {
      return (await refresh(freshMs)).has(origin) || (await refresh(askAgainMs)).has(origin);
    },
  };
}

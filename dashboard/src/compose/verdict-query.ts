import { preview } from "../api/calls.ts";
import type { CurrentSite } from "../layout/session.tsx";

/** The query of the decision on a story. The page of a story is read for it: the answer is used again for a minute. */
export const verdictQuery = ({ tenantId, siteId }: CurrentSite, url: string) => ({
  queryKey: ["verdict", siteId, url],
  queryFn: ({ signal }: { signal: AbortSignal }) => preview(tenantId, { url, siteId }, signal),
  staleTime: 60_000,
});

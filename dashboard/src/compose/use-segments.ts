import { useQuery } from "@tanstack/react-query";
import { type Segment, segments } from "../api/segment-calls.ts";
import { useCurrentSite } from "../layout/session.tsx";

/** Queries the site's segments. */
export function useSegments() {
  const { tenantId, siteId } = useCurrentSite();
  return useQuery({ queryKey: ["segments", siteId], queryFn: () => segments(tenantId, siteId) });
}

/** Returns a segment by its id. Undefined if there is no id, or the segment is not known yet. */
export function useSegment(segmentId: string | null | undefined): Segment | undefined {
  const { data } = useSegments();
  return data?.data.find((segment) => segment.segmentId === segmentId);
}

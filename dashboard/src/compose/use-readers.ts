import { useQuery } from "@tanstack/react-query";
import { readers } from "../api/calls.ts";
import { usePlace } from "../frame/session.tsx";

/** Who can be reached at the site: by push service, by topic, and the test devices. */
export function useReaders() {
  const { tenantId, siteId } = usePlace();
  return useQuery({ queryKey: ["readers", siteId], queryFn: () => readers(tenantId, siteId) });
}

import type { CampaignClass } from "../../../src/tenants/sites/campaign-classes.ts";
import { audience } from "../api/calls.ts";
import type { CurrentSite } from "../layout/session.tsx";

/**
 * Returns the query of a campaign's audience size, with the gates that would refuse a send of its class. A correction
 * does not reach readers who subscribed after the campaign that it corrects.
 */
export const audienceQuery = (
  { tenantId, siteId }: Pick<CurrentSite, "tenantId" | "siteId">,
  of: {
    topicIds: string[];
    segment?: string | null | undefined;
    followersOf?: string | null | undefined;
    corrects?: string | null;
    class?: CampaignClass;
  },
) => ({
  queryKey: [
    ...["audience", siteId, of.topicIds.toSorted().join(), of.segment || "", of.followersOf || ""],
    ...[of.corrects ?? "", of.class ?? ""],
  ],
  queryFn: () =>
    audience(tenantId, siteId, {
      topicIds: of.topicIds,
      segment: of.segment || undefined,
      followersOf: of.followersOf || undefined,
      corrects: of.corrects ?? undefined,
      class: of.class,
    }),
  staleTime: 5_000,
});

import { useQuery } from "@tanstack/react-query";
import type { CampaignClass, ClassRule } from "../../../src/tenants/sites/campaign-classes.ts";
import { site } from "../api/calls.ts";
import { type CurrentSite, useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

/** The classes in the order in which pages list them. The type ensures that they are the classes of the service. */
export const classNames = Object.keys({ breaking: 0, normal: 0, low: 0 } satisfies Record<
  CampaignClass,
  0
>) as CampaignClass[];

/** Returns the site's own name of a class, or else its usual name. */
export const nameOfClass = (name: CampaignClass, rule: ClassRule | undefined): string =>
  rule?.name ?? words.components.classes[name];

export const classRulesQuery = ({ tenantId, siteId }: CurrentSite) => ({
  queryKey: ["site", siteId],
  queryFn: () => site(tenantId, siteId),
});

/** Returns the rules of the current site's classes, or undefined until they are read. */
export function useClassRules(): Record<CampaignClass, ClassRule> | undefined {
  return useQuery(classRulesQuery(useCurrentSite())).data?.classes;
}

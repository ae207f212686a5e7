import type { CreatedGroup } from "../../../src/campaign-groups/create-group.ts";
import type { GroupView } from "../../../src/campaign-groups/read-group.ts";
import { tenantPath } from "./address.ts";
import type { CampaignInput } from "./calls.ts";
import { call } from "./client.ts";

export type { GroupView };

type OfSite = "siteId" | "topicIds" | "segment" | "followersOf";

/** The input of a campaign for several sites. `url` of a site: the address of the story at that site. */
export type GroupInput = Omit<CampaignInput, OfSite | "corrects"> & {
  sites: (Partial<Pick<CampaignInput, OfSite | "url">> & { siteId: string })[];
};

const groupPath = (tenantId: string, groupId: string) => `${tenantPath(tenantId)}/campaign-groups/${groupId}`;

export const createGroup = (tenantId: string, body: GroupInput, idempotencyKey: string) =>
  call<CreatedGroup>("POST", `${tenantPath(tenantId)}/campaign-groups`, {
    body,
    headers: { "idempotency-key": idempotencyKey },
  });
export const campaignGroup = (tenantId: string, groupId: string) =>
  call<GroupView>("GET", groupPath(tenantId, groupId));
export const stopGroup = (tenantId: string, groupId: string) =>
  call<GroupView>("POST", `${groupPath(tenantId, groupId)}/stop`);

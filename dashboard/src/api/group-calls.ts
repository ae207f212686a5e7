import type { CreatedGroup } from "../../../src/campaign-groups/create-group.ts";
import type { GroupView } from "../../../src/campaign-groups/read-group.ts";
import type { UndoWindowsOfGroup } from "../../../src/campaign-groups/undo-group.ts";
import { type CampaignInput, tenantPath } from "./calls.ts";
import { call } from "./client.ts";

export type { GroupView, UndoWindowsOfGroup };

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
/** Begins the sends of a group. `updatedAt`: the latest `updatedAt` of its campaigns as the page shows them. */
export const beginGroupSend = (tenantId: string, groupId: string, updatedAt: string) =>
  call<UndoWindowsOfGroup>("POST", `${groupPath(tenantId, groupId)}/undo-window`, { body: { updatedAt } });
export const undoGroupSend = (tenantId: string, groupId: string) =>
  call<UndoWindowsOfGroup>("POST", `${groupPath(tenantId, groupId)}/undo-window/undo`, { keepalive: true });
export const stopGroup = (tenantId: string, groupId: string) =>
  call<GroupView>("POST", `${groupPath(tenantId, groupId)}/stop`);

import type { AutosavedDraft, AutosavedDraftContent, SavedDraft } from "../../../src/dashboard-api/autosaved-drafts.ts";
import { tenantPath } from "./address.ts";
import { call } from "./client.ts";

export type { AutosavedDraft, AutosavedDraftContent };

type AutosavedDraftInput = {
  content: AutosavedDraftContent;
  revision: number;
  page: string;
  campaignId: string | null;
  inCampaign: boolean;
  isKept: boolean;
};

const pathOf = (tenantId: string, siteId: string) => `${tenantPath(tenantId)}/sites/${siteId}/autosaved-drafts`;

export const autosavedDrafts = (tenantId: string, siteId: string) =>
  call<{ data: AutosavedDraft[] }>("GET", pathOf(tenantId, siteId)).then(({ data }) => data);
/** Saves an autosaved draft. `keepalive`: the request goes on while the page is closed. */
export const saveAutosavedDraft = (
  { tenantId, siteId }: { tenantId: string; siteId: string },
  autosavedDraftId: string,
  body: AutosavedDraftInput,
  keepalive: boolean,
) => call<SavedDraft>("POST", `${pathOf(tenantId, siteId)}/${autosavedDraftId}`, { body, keepalive });
export const deleteAutosavedDraft = (tenantId: string, siteId: string, autosavedDraftId: string) =>
  call<undefined>("DELETE", `${pathOf(tenantId, siteId)}/${autosavedDraftId}`);

import type { SavedSketch, Sketch, SketchContent } from "../../../src/dashboard-api/sketches.ts";
import { tenantPath } from "./calls.ts";
import { call } from "./client.ts";

export type { Sketch, SketchContent };

type SketchInput = {
  content: SketchContent;
  revision: number;
  page: string;
  campaignId: string | null;
  inCampaign: boolean;
};

const pathOf = (tenantId: string, siteId: string) => `${tenantPath(tenantId)}/sites/${siteId}/sketches`;

export const sketches = (tenantId: string, siteId: string) =>
  call<{ data: Sketch[] }>("GET", pathOf(tenantId, siteId)).then(({ data }) => data);
/** `keepalive`: the page is being closed. */
export const saveSketch = (
  { tenantId, siteId }: { tenantId: string; siteId: string },
  sketchId: string,
  body: SketchInput,
  keepalive: boolean,
) => call<SavedSketch>("POST", `${pathOf(tenantId, siteId)}/${sketchId}`, { body, keepalive });
export const deleteSketch = (tenantId: string, siteId: string, sketchId: string) =>
  call<undefined>("DELETE", `${pathOf(tenantId, siteId)}/${sketchId}`);

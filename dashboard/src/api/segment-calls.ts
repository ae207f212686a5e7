import type { SegmentRule } from "../../../src/subscribers/segments/segment.ts";
import type { Segment, SegmentSize, Segments } from "../../../src/subscribers/segments/segments.ts";
import { tenantPath } from "./address.ts";
import { call } from "./client.ts";

export type { Segment, SegmentRule, Segments };

const pathOf = (tenantId: string, siteId: string) => `${tenantPath(tenantId)}/sites/${siteId}/segments`;

/** The segments of a site, the retired ones last. */
export const segments = (tenantId: string, siteId: string) => call<Segments>("GET", pathOf(tenantId, siteId));
export const countSegment = (tenantId: string, siteId: string, rule: SegmentRule) =>
  call<SegmentSize>("POST", `${pathOf(tenantId, siteId)}/count`, { body: { rule } });
export const addSegment = (tenantId: string, siteId: string, body: { name: string; rule: SegmentRule }) =>
  call<{ segmentId: string }>("POST", pathOf(tenantId, siteId), { body });
export const changeSegment = (
  tenantId: string,
  siteId: string,
  segmentId: string,
  change: { name: string; rule: SegmentRule } | { retired: true },
) => call<undefined>("PATCH", `${pathOf(tenantId, siteId)}/${segmentId}`, { body: change });

import type { CallOptions } from "./campaigns.ts";
import { listAll, type PageOptions } from "./pages.ts";
import { request, type Transport } from "./request.ts";
import type { FiguresOfGroup, FiguresQuery, HoldoutEffect, Page, Period, SubscribersSummary } from "./types.ts";

export type ReportCalls = {
  /** The sums over what a site sent in a period, by day, topic, sender, class or label. */
  figures(siteId: string, query: FiguresQuery & PageOptions): AsyncGenerator<FiguresOfGroup, void, undefined>;
  /** One page of them. */
  figuresPage(
    siteId: string,
    query: FiguresQuery & PageOptions & { cursor?: string | undefined },
  ): Promise<Page<FiguresOfGroup>>;
  /** How many readers a site can reach now, and who joined and left on each day. */
  subscribersSummary(siteId: string, period: Period & CallOptions): Promise<SubscribersSummary>;
  /** What the notifications of each class win, where the site leaves readers out to measure it. */
  holdouts(siteId: string, options?: CallOptions): Promise<{ siteId: string; classes: HoldoutEffect[] }>;
};

/** The calls that read sums of a site. */
export function createReportCalls(transport: Transport, tenantId: string): ReportCalls {
  const pathOf = (siteId: string, report: string) =>
    `/v1/tenants/${encodeURIComponent(tenantId)}/sites/${encodeURIComponent(siteId)}/${report}`;
  const figuresPage: ReportCalls["figuresPage"] = (siteId, { signal, ...query }) =>
    request(transport, { method: "GET", path: pathOf(siteId, "figures"), query, repeatable: true, signal });
  return {
    figuresPage,
    figures: (siteId, query) => listAll((cursor) => figuresPage(siteId, { ...query, cursor })),
    subscribersSummary: (siteId, { signal, ...query }) =>
      request(transport, {
        method: "GET",
        path: pathOf(siteId, "subscribers/summary"),
        query,
        repeatable: true,
        signal,
      }),
    holdouts: (siteId, { signal } = {}) =>
      request(transport, { method: "GET", path: pathOf(siteId, "holdouts"), repeatable: true, signal }),
  };
}

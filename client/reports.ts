import type { CallOptions } from "./campaigns.ts";
import { listAll, type PageOptions } from "./pages.ts";
import { request, type Transport } from "./request.ts";
import type { FiguresOfGroup, FiguresQuery, HoldoutEffect, Page, Period, SubscribersSummary } from "./types.ts";

export type ReportCalls = {
  /** Yields the sums over what a site sent in a period, by day, topic, sender, class or label. */
  figures(siteId: string, query: FiguresQuery & PageOptions): AsyncGenerator<FiguresOfGroup, void, undefined>;
  /** Returns one page of these sums. */
  figuresPage(
    siteId: string,
    query: FiguresQuery & PageOptions & { cursor?: string | undefined },
  ): Promise<Page<FiguresOfGroup>>;
  /** Returns how many readers a site can reach now, and how many joined and left on each day. */
  subscribersSummary(siteId: string, period: Period & CallOptions): Promise<SubscribersSummary>;
  /** Returns the effect of each class's notifications. A site measures it by leaving some readers out. */
  holdouts(siteId: string, options?: CallOptions): Promise<{ siteId: string; classes: HoldoutEffect[] }>;
};

/** Creates the calls that read sums of a site. */
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

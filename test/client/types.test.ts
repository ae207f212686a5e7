import { expectTypeOf, test } from "vitest";
import type * as client from "../../client/client.ts";
import type * as page from "../../client/page.ts";
import type { Pressbell } from "../../sdk/page/api.ts";
import type { CreatedGroup } from "../../src/campaign-groups/create-group.ts";
import type { GroupBody } from "../../src/campaign-groups/group-input.ts";
import type { GroupView } from "../../src/campaign-groups/read-group.ts";
import type { SentGroup } from "../../src/campaign-groups/send-group.ts";
import type { CampaignView } from "../../src/campaigns/campaign.ts";
import type { CampaignBody, CampaignChangeBody, UpdateBody } from "../../src/campaigns/campaign-input.ts";
import type { createCampaign } from "../../src/campaigns/create-campaign.ts";
import type { PreviewBody } from "../../src/campaigns/preview-content.ts";
import type { CampaignPage, CampaignQuery } from "../../src/campaigns/read-campaigns.ts";
import type { TestSend } from "../../src/campaigns/test-campaign.ts";
import type { FiguresOfGroup } from "../../src/dashboard-api/reports/figures-queries.ts";
import type { ReportedRun, RunQuery } from "../../src/dashboard-api/reports/list-runs.ts";
import type { FiguresQuery } from "../../src/dashboard-api/reports/read-figures.ts";
import type { PeriodQuery, SubscribersSummary } from "../../src/dashboard-api/reports/subscribers-summary.ts";
import type { Verdict } from "../../src/decision/decide-story.ts";
import type { ErrorCode, FieldFault } from "../../src/errors.ts";
import type { UpdateResult, UpdateView } from "../../src/follow-ups/update-notification.ts";
import type { HoldoutEffect } from "../../src/holdouts/effect.ts";
import type { RunView } from "../../src/runs/view-run.ts";
import type { SendResult } from "../../src/sends/commit-send.ts";
import type { SitePage, SiteView } from "../../src/tenants/sites/list-sites.ts";

/** A type without its aliases and intersections. Two types with the same meaning are then identical. */
type Plain<T> = T extends (infer Entry)[]
  ? Plain<Entry>[]
  : T extends object
    ? { [Name in keyof T]: Plain<T[Name]> }
    : T;

// The compiler compares the types (`npm run check`). At run time nothing is left of these comparisons.
test("the client's types of requests are those of the service's schemas", () => {
  expectTypeOf<Plain<client.NewCampaign>>().toEqualTypeOf<Plain<CampaignBody>>();
  expectTypeOf<Plain<client.NewGroup>>().toEqualTypeOf<Plain<GroupBody>>();
  expectTypeOf<Plain<client.CampaignChange>>().toEqualTypeOf<Plain<CampaignChangeBody["manual"]>>();
  type UrlChange = Plain<Omit<client.CampaignChange, "url">>;
  expectTypeOf<UrlChange>().toEqualTypeOf<Plain<Omit<CampaignChangeBody["url"], "url">>>();
  expectTypeOf<Plain<client.NudgeUpdate>>().toEqualTypeOf<Plain<UpdateBody>>();
  expectTypeOf<Plain<client.PreviewRequest>>().toEqualTypeOf<Plain<Omit<PreviewBody, "tenantId">>>();
  type Filter = Omit<CampaignQuery, "limit" | "cursor">;
  expectTypeOf<Plain<client.CampaignFilter>>().toEqualTypeOf<Plain<Filter>>();
  expectTypeOf<Plain<client.RunFilter>>().toEqualTypeOf<Plain<Omit<RunQuery, "limit" | "cursor">>>();
  expectTypeOf<Plain<client.FiguresQuery>>().toEqualTypeOf<Plain<Omit<FiguresQuery, "limit" | "cursor">>>();
  expectTypeOf<Plain<client.Period>>().toEqualTypeOf<Plain<PeriodQuery>>();
});

test("the client's types of answers are those of the service's views", () => {
  expectTypeOf<Plain<client.Campaign>>().toEqualTypeOf<Plain<CampaignView>>();
  type Created = Awaited<ReturnType<typeof createCampaign>>;
  expectTypeOf<Plain<client.CreatedCampaign>>().toEqualTypeOf<Plain<Created>>();
  expectTypeOf<Plain<client.Page<client.Campaign>>>().toEqualTypeOf<Plain<CampaignPage>>();
  expectTypeOf<Plain<client.SentCampaign>>().toEqualTypeOf<Plain<SendResult>>();
  expectTypeOf<Plain<client.CreatedGroup>>().toEqualTypeOf<Plain<CreatedGroup>>();
  expectTypeOf<Plain<client.SentGroup>>().toEqualTypeOf<Plain<SentGroup>>();
  expectTypeOf<Plain<client.Group>>().toEqualTypeOf<Plain<GroupView>>();
  expectTypeOf<Plain<client.SentUpdate>>().toEqualTypeOf<Plain<UpdateResult>>();
  expectTypeOf<Plain<client.Update>>().toEqualTypeOf<Plain<UpdateView>>();
  expectTypeOf<Plain<client.TestSend>>().toEqualTypeOf<Plain<TestSend>>();
  expectTypeOf<Plain<client.Run>>().toEqualTypeOf<Plain<RunView>>();
  expectTypeOf<Plain<client.ReportedRun>>().toEqualTypeOf<Plain<ReportedRun>>();
  expectTypeOf<Plain<client.FiguresOfGroup>>().toEqualTypeOf<Plain<FiguresOfGroup>>();
  expectTypeOf<Plain<client.HoldoutEffect>>().toEqualTypeOf<Plain<HoldoutEffect>>();
  expectTypeOf<Plain<client.SubscribersSummary>>().toEqualTypeOf<Plain<SubscribersSummary>>();
  expectTypeOf<Plain<client.Preview>>().toEqualTypeOf<Plain<Verdict>>();
  expectTypeOf<Plain<client.Site>>().toEqualTypeOf<Plain<SiteView>>();
  expectTypeOf<Plain<client.Page<client.Site>>>().toEqualTypeOf<Plain<SitePage>>();
});

test("the client names every error code of the service, and no other", () => {
  expectTypeOf<client.ErrorCode>().toEqualTypeOf<ErrorCode>();
  expectTypeOf<client.FieldFault>().toEqualTypeOf<FieldFault>();
});

test("the types of window.pressbell are those of the page script", () => {
  expectTypeOf<page.Pressbell>().toEqualTypeOf<Pressbell>();
});

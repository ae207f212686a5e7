import { maxHeaderSize } from "node:http";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { maxSessions } from "../../src/access/accounts/sessions.ts";
import { maxKeys as maxApiKeys } from "../../src/access/api-keys/api-keys.ts";
import { nameLength } from "../../src/access/emails.ts";
import { maxMembers } from "../../src/access/members/invitations.ts";
import { acceptedOfProven } from "../../src/access/members/queries.ts";
import { maxSiteRoles } from "../../src/access/members/wanted-roles.ts";
import { maxPasskeys } from "../../src/access/passkeys/passkeys.ts";
import { maxGroups } from "../../src/access/provider/roles.ts";
import { maxSteps } from "../../src/automations/welcome/welcome.ts";
import { leastBytes, maxRatio, maxRowBytes } from "../../src/backup/load-limit.ts";
import { maxLabels, maxSitesOfGroup, maxTopics as maxTopicsOfCampaign } from "../../src/campaigns/campaign-input.ts";
import { maxVariants } from "../../src/campaigns/headline-variants.ts";
import { maxUrl } from "../../src/campaigns/link.ts";
import { maxActions } from "../../src/campaigns/nudge-extras.ts";
import { maxDevices as testDevicesReached } from "../../src/campaigns/test-campaign.ts";
import { autosavedDraftsKept } from "../../src/dashboard-api/autosaved-drafts.ts";
import { maxEntries as maxCalendarEntries } from "../../src/dashboard-api/newsroom.ts";
import { maxPeriodDays } from "../../src/dashboard-api/reports/period.ts";
import { row, sharesOfProcess } from "../../src/db/pool.ts";
import { longestLine } from "../../src/db/tenant-share.ts";
import { waitBudgetMs } from "../../src/db/wait-budget.ts";
import { maxBodyLength, maxTitleLength } from "../../src/decision/nudge.ts";
import { fetchesAtOnce, fetchesOfRequester, maxPageBytes, maxSlotWaitMs } from "../../src/egress/page/fetch-page.ts";
import { type ErrorCode, errorRegistry } from "../../src/errors.ts";
import { maxFeeds, maxHosts, maxRules } from "../../src/feeds/feed.ts";
import { maxKeys as maxFeedKeys, maxItems, maxOpenItems } from "../../src/feeds/items/feed-caps.ts";
import { maxEntries as maxFeedEntries } from "../../src/feeds/parse/entry.ts";
import { maxFeedBytes } from "../../src/feeds/poll/fetch-feed.ts";
import { listed as updatesListed } from "../../src/follow-ups/update-notification.ts";
import { statusOf } from "../../src/http/errors.ts";
import { maxDepth } from "../../src/http/json-body.ts";
import { maxPlaces, placesOfSite } from "../../src/http/reader-places.ts";
import { maxMemberStreams, maxStreams } from "../../src/http/streams.ts";
import { maxImports, maxWaiting, maxWaitMs } from "../../src/import-pool.ts";
import { pageLimit } from "../../src/input.ts";
import { maxThreads } from "../../src/parser.ts";
import * as limits from "../../src/rate-limits/limits.ts";
import { maxOutcomesOfRun, maxWaitingOutcomes } from "../../src/receipts/click-outcomes.ts";
import { maxVersionsOfDay, maxWaitingVersions } from "../../src/receipts/prompt-counts.ts";
import { maxEntries as maxReceiptsWaiting } from "../../src/receipts/receipt-buffer.ts";
import { maxReceipts } from "../../src/receipts/record-events.ts";
import { maxSites as maxSitesWaiting } from "../../src/receipts/site-counts.ts";
import { maxRecurringSends, maxWeekdays } from "../../src/recurring-sends/recurring-send.ts";
import { maxPayloadBytes } from "../../src/runs/payload.ts";
import { maxKept } from "../../src/runs/suppressions.ts";
import { proofsKept } from "../../src/subscribers/consent/queries.ts";
import { devicesKept } from "../../src/subscribers/editor-devices/editor-devices.ts";
import { maxFollows } from "../../src/subscribers/follows/follow.ts";
import { maxEndColumns } from "../../src/subscribers/import/file-layout.ts";
import { maxLineBytes } from "../../src/subscribers/import/file-lines.ts";
import { maxRecords } from "../../src/subscribers/import/read-part.ts";
import { maxMuted } from "../../src/subscribers/preferences/preferences.ts";
import { maxChosenTopics } from "../../src/subscribers/register-subscriber.ts";
import { maxLanguages, maxTimeZones, maxTopics as maxTopicsOfRule } from "../../src/subscribers/segments/conditions.ts";
import { maxSegments, maxSegmentsOfDay } from "../../src/subscribers/segments/segments.ts";
import { maxTestDevices } from "../../src/subscribers/test-devices.ts";
import { maxHoldoutPercent } from "../../src/tenants/sites/campaign-classes.ts";
import { maxFacts, maxFactValues } from "../../src/tenants/sites/declared-facts.ts";
import { maxPromptLanguages } from "../../src/tenants/sites/prompt-languages.ts";
import { maxPromptPaths } from "../../src/tenants/sites/prompt-rule.ts";
import { maxPromptVersions } from "../../src/tenants/sites/prompt-versions.ts";
import { maxFormerWorkers, maxOrigins, maxPromptTopics } from "../../src/tenants/sites/reader-settings.ts";
import { retiredPerTopic } from "../../src/tenants/topics/topics.ts";
import { openTestApp } from "../fixtures/app.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { type LimitEntry, limitEntriesOf, readPage, tableOf } from "./pages.ts";

const page = await readPage("docs/limits.md");
const sections = new Map(page.split(/^## /m).map((text) => [text.split("\n")[0]!, text]));
const section = (title: string): string => sections.get(title)!;
const limitsOf = (title: string): LimitEntry[] => limitEntriesOf(section(title));
const mib = 1024 * 1024;

const inAnswers: [of: RegExp, value: number][] = [
  [/^updates/, updatesListed],
  [/^entries of a month/, maxCalendarEntries],
  [/^receipts/, maxReceipts],
  [/^records/, maxRecords],
  [/^columns/, maxEndColumns],
  [/^KiB of a record/, maxLineBytes / 1_024],
  [/^test devices/, testDevicesReached],
  [/URL$/, maxUrl],
  [/title$/, maxTitleLength],
  [/text$/, maxBodyLength],
  [/^percent/, maxHoldoutPercent],
  [/^bytes of a message/, maxPayloadBytes],
  [/of a page that/, maxPageBytes / mib],
  [/of a feed that/, maxFeedBytes / mib],
  [/^MiB of a row/, maxRowBytes / mib],
  [/unpacks/, maxRatio],
];

const inProcess: [of: RegExp, value: number][] = [
  [/^general/, sharesOfProcess.poolMax],
  [/^connections of one/, sharesOfProcess.tenantMax],
  [/^connections for readers$/, sharesOfProcess.readersMax],
  [/^connections for readers of one/, Math.min(sharesOfProcess.tenantMax, sharesOfProcess.readersMax - 1)],
  [/^requests in the line/, longestLine],
  [/^seconds that a request/, waitBudgetMs / 1_000],
  [/^reads and writes of readers$/, maxPlaces],
  [/of one site$/, placesOfSite],
  [/^downloads/, maxStreams],
  [/^open pages/, maxMemberStreams],
  [/^imports of a tenant/, 1],
  [/^imports of all/, maxImports],
  [/^parts/, maxWaiting],
  [/^seconds that a part/, maxWaitMs / 1_000],
  [/^fetches of pages of a tenant/, fetchesOfRequester],
  [/^fetches of pages of all/, fetchesAtOnce],
  [/^threads/, maxThreads],
  [/^receipts/, maxReceiptsWaiting],
  [/^sites/, maxSitesWaiting],
  [/^versions of prompts/, maxWaitingVersions],
  [/^counts of what followed clicks/, maxWaitingOutcomes],
];

/** Limits of what is kept, and the limits of a new tenant from the database. */
let kept: [of: RegExp, value: number][];
let defaults: { siteLimit: number; topicLimit: number };
let settings: Record<"config", { RATE_LIMIT_PER_MINUTE: number; FETCH_RATE_LIMIT_PER_MINUTE: number }>;

beforeAll(async () => {
  const app = await openTestApp();
  settings = app;
  const { tenantId } = await createPublisher(app);
  defaults = (await row(
    sql<typeof defaults>`select site_limit as "siteLimit", topic_limit as "topicLimit" from tenants
      where id = ${tenantId}`,
    app.db,
  ))!;
  kept = [
    [/^sites of a tenant/, defaults.siteLimit],
    [/^topics of a site that/, defaults.topicLimit],
    [/^topics of a site with/, 1 + retiredPerTopic],
    [/^segments of a site that/, maxSegments],
    [/^segments of a site, with/, maxSegmentsOfDay],
    [/^feeds/, maxFeeds],
    [/^recurring/, maxRecurringSends],
    [/^weekdays/, maxWeekdays],
    [/^API keys/, maxApiKeys],
    [/^groups of the sign-in provider/, maxGroups],
    [/^members/, maxMembers],
    [/^roles of a member/, maxSiteRoles],
    [/^test devices/, maxTestDevices],
    [/^passkeys/, maxPasskeys],
    [/^sessions/, maxSessions],
    [/^autosaved/, autosavedDraftsKept],
    [/^devices of a member/, devicesKept],
    [/^steps/, maxSteps],
    [/^origins/, maxOrigins],
    [/^topics of a prompt/, maxPromptTopics],
    [/^paths of a prompt/, maxPromptPaths],
    [/^facts of a site/, maxFacts],
    [/^values of a fact/, maxFactValues],
    [/^languages of a prompt/, maxPromptLanguages],
    [/^versions of a site's prompt/, maxPromptVersions],
    [/^versions of a prompt that are counted/, maxVersionsOfDay],
    [/^names of what followed clicks/, maxOutcomesOfRun],
    [/^records of the former consents/, proofsKept],
    [/^workers/, maxFormerWorkers],
    [/^topics of a campaign/, maxTopicsOfCampaign],
    [/^labels of a campaign/, maxLabels],
    [/of one notification/, maxSitesOfGroup],
    [/^days of a report/, maxPeriodDays],
    [/^topics of a segment/, maxTopicsOfRule],
    [/^time zones/, maxTimeZones],
    [/^languages of a segment/, maxLanguages],
    [/^variants/, maxVariants],
    [/^buttons/, maxActions],
    [/^categories/, maxRules],
    [/^allowed hosts/, maxHosts],
    [/^topics that a browser/, maxChosenTopics],
    [/^stories, authors/, maxFollows],
    [/^stories that/, maxMuted],
    [/^suppressed/, maxKept],
    [/^open items/, maxOpenItems],
    [/^items/, maxItems],
    [/^keys/, maxFeedKeys],
    [/^entries/, maxFeedEntries],
  ];
});

/** Expects that each entry of a list of the page has one expected value, and that each value has one entry. */
function expectValues(entries: LimitEntry[], expected: [RegExp, number][]): void {
  const named = entries.map(({ of, atMost }) => [of, atMost]);
  const inCode = entries.map(({ of }) => {
    const values = expected.filter(([name]) => name.test(of)).map(([, value]) => value.toLocaleString("en"));
    return [of, values.join(" or ") || "no limit in the test"];
  });
  expect(named).toEqual(inCode);
  expect(entries).toHaveLength(expected.length);
}

describe("docs/limits.md has the value of the code for", () => {
  test("all that is kept", () => {
    expectValues([...limitsOf("What is kept"), ...limitsOf("Lists of a body")], kept);
  });

  test("all in one request or answer", () => {
    const [pages, ...others] = limitsOf("In one request or answer");
    expect(pages).toMatchObject({ of: "entries of a page of a list", atMost: "100" });
    expect([pageLimit.safeParse("100").success, pageLimit.safeParse("101").success]).toEqual([true, false]);
    expectValues(others, inAnswers);
  });

  test("all at once in a process", () => {
    expectValues(limitsOf("At once in a process"), inProcess);
  });

  test("each rate limit, and names no other", () => {
    const rows = tableOf(section("Requests"), ["name", "counts", "at most"]);
    const named = rows.map((cells) => `${cells.name} ${cells["at most"]}`);
    expect(named.toSorted()).toEqual(rateLimits().toSorted());
  });
});

test("docs/limits.md has the value of the code in its sentences", () => {
  const text = page.replace(/\s+/g, " ");
  for (const sentence of [
    `A body has at most ${maxDepth} levels of lists and objects`,
    `The path and the headers have at most ${maxHeaderSize / 1_024} KiB together`,
    `for ${maxSlotWaitMs / 1_000} seconds at most`,
    `if over ${leastBytes / mib} MiB`,
    `with ${acceptedOfProven} accepted messages`,
    `at most ${nameLength} characters, without links`,
  ])
    expect(text).toContain(sentence);
});

test("docs/guarantees.md has the values of the code in its sentences", async () => {
  const { poolMax, tenantMax } = sharesOfProcess;
  const { campaignLimit, invitationsLimit, unprovenInvitationsLimit } = limits;
  const text = (await readPage("docs/guarantees.md")).replace(/\s+/g, " ");
  for (const sentence of [
    `at most ${tenantMax} of the ${poolMax} connections`,
    `${campaignLimit.quota.toLocaleString("en")} campaigns a day at most`,
    `${invitationsLimit.quota} people a day at most, ${unprovenInvitationsLimit.quota} by e-mail`,
  ])
    expect(text).toContain(sentence);
});

const windows: Record<number, string> = { 60: "min", 900: "15 min", 3600: "hour", 86400: "day" };

/** Returns every limit that src/rate-limits/limits.ts exports, as the page writes it. */
function rateLimits(): string[] {
  const { registrationLimit, addressRegistrationLimit } = limits;
  return Object.values(limits).map((exported) => {
    const limit = typeof exported === "function" ? exported(settings as never) : exported;
    const ofSite = registrationLimit.quotaAtLeast;
    const quota =
      limit === registrationLimit
        ? ofSite
        : limit === addressRegistrationLimit
          ? ofSite * addressRegistrationLimit.shareOfQuota
          : (limit as limits.Limit).quota;
    return `${limit.name} ${quota.toLocaleString("en")}/${windows[limit.windowSeconds]}`;
  });
}

test("docs/limits.md gives each code its status, and says of each list what happens beyond", () => {
  const codes = [...page.matchAll(/`(\w+)` \((\d+)\)/g)].map(([, code, status]) => [code, Number(status)]);
  expect(codes.length).toBeGreaterThan(20);
  for (const [code, status] of codes) expect([code, statusOf(code as ErrorCode)]).toEqual([code, status]);
  expect(codes.filter(([code]) => !((code as string) in errorRegistry))).toEqual([]);
  const entries = ["What is kept", "In one request or answer", "At once in a process"].flatMap(limitsOf);
  expect(entries.filter(({ beyond }) => beyond === "")).toEqual([]);
});

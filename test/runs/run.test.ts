import { describe, expect, test } from "vitest";
import type { RunRecord } from "../../src/runs/run.ts";
import { viewRun } from "../../src/runs/view-run.ts";

const record: RunRecord = {
  id: "run",
  campaignId: "campaign",
  siteId: "site",
  kind: "live",
  status: "sending",
  planned: true,
  expectedAudience: 10,
  unplanned: 0,
  tenantPaused: false,
  sitePaused: false,
  screenGoalSeconds: 120,
  startedAt: null,
  finishedAt: null,
  stopRequestedAt: null,
  actions: null,
  receipts: null,
  localTime: null,
};
const none = {
  pending: 0,
  accepted: 0,
  gone: 0,
  failed: 0,
  expired: 0,
  notSent: 0,
  unknown: 0,
  repeated: 0,
  reporting: 0,
};

/** The counts of what readers did in two hours. */
const hours = [8, 9].map((h) => ({
  hour: new Date(Date.UTC(2027, 2, 1, h)),
  displayed: h,
  clicked: 1,
  dismissed: 2,
  unsubscribed: 0,
  action1: 1,
  action2: 0,
}));

describe("a run as callers see it", () => {
  test("counts as pending what is not planned yet, so that the sum holds from the first moment", () => {
    const seen = viewRun({ ...record, planned: false }, { ...none, accepted: 3, pending: 1 }, [], []);
    expect(seen).toMatchObject({ audience: 10, accepted: 3, pending: 7 });
  });

  test("has the audience that was planned, more or less than the send had counted", () => {
    expect(viewRun(record, { ...none, accepted: 4 }, [], [])).toMatchObject({ audience: 4, pending: 0 });
    const more = viewRun({ ...record, planned: false }, { ...none, accepted: 14, pending: 2 }, [], []);
    expect(more).toMatchObject({ audience: 16, pending: 2 });
  });

  test("counts repeated messages beside the sum", () => {
    expect(viewRun(record, { ...none, accepted: 4, repeated: 3 }, [], [])).toMatchObject({ audience: 4, repeated: 3 });
  });

  test("is held by the tenant's pause, then the site's, but not once ended or as a test", () => {
    const heldBy = (over: Partial<RunRecord>) => viewRun({ ...record, ...over }, none, [], []).heldBy;
    expect(heldBy({})).toBeNull();
    expect(heldBy({ sitePaused: true })).toBe("site_paused");
    expect(heldBy({ sitePaused: true, tenantPaused: true })).toBe("tenant_paused");
    expect(heldBy({ sitePaused: true, finishedAt: new Date() })).toBeNull();
    expect(heldBy({ sitePaused: true, kind: "test" })).toBeNull();
  });

  test("gives a reason for each final code but acceptance, by push service", () => {
    const codes = [
      { pushService: "fcm", code: 0x20, n: 5 },
      { pushService: "fcm", code: 0x31, n: 2 },
      { pushService: "wns", code: 0x31, n: 1 },
      { pushService: "wns", code: 0x9f, n: 1 },
    ];
    const { reasons } = viewRun(record, { ...none, accepted: 5, gone: 3 }, codes, []);
    expect(reasons).toMatchObject([
      { class: "gone", reason: "gone", pushService: "fcm", count: 2 },
      { class: "gone", reason: "gone", pushService: "wns", count: 1 },
    ]);
  });

  test("says what waits at which push service, and why", () => {
    const waiting = (
      blockedReason: "unauthorized" | "forbidden" | null,
      restsUntil: Date | null,
      isRateLimited = false,
    ) => [{ pushService: "wns", n: 7, blockedReason, restsUntil, isRateLimited }];
    const [reason] = viewRun(record, { ...none, pending: 7 }, [], waiting(null, new Date(0))).reasons;
    expect(reason).toMatchObject({ class: "pending", reason: "throttled", pushService: "wns", count: 7 });
    expect(reason!.message).toContain("until 1970-01-01T00:00:00.000Z");
    const [rateLimited] = viewRun(record, { ...none, pending: 7 }, [], waiting(null, new Date(0), true)).reasons;
    expect(rateLimited).toMatchObject({ class: "pending", reason: "rate_limited", count: 7 });
    expect(rateLimited!.message).toMatch(/until 1970-01-01T00:00:00.000Z.*fewer notifications/);
    const refusalReason = (held: "unauthorized" | "forbidden" | null) =>
      viewRun(record, none, [], waiting(held, null)).reasons[0]!.reason;
    expect([refusalReason(null), refusalReason("unauthorized"), refusalReason("forbidden")]).toEqual([
      "retrying",
      "unauthorized",
      "forbidden",
    ]);
  });

  test("sums what readers did over its hours", () => {
    expect(viewRun(record, none, [], [], { hours })).toMatchObject({
      displayed: 17,
      clicked: 2,
      dismissed: 4,
      unsubscribed: 0,
      receiptsByHour: [{ hour: "2027-03-01T08:00:00.000Z", displayed: 8 }, { hour: "2027-03-01T09:00:00.000Z" }],
    });
    expect(viewRun(record, none, [], [])).toMatchObject({ displayed: 0, receiptsByHour: [] });
    expect(viewRun(record, none, [], [], { hours })).not.toHaveProperty("actions");
    const actions = [
      { title: "Live", url: "https://news.example/live" },
      { title: "Map", url: "https://news.example/map" },
    ];
    expect(viewRun({ ...record, actions }, none, [], [], { hours }).actions).toEqual([
      { ...actions[0], clicked: 2 },
      { ...actions[1], clicked: 0 },
    ]);
  });
});

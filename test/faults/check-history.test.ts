import { expect, test } from "vitest";
import { checkHistory } from "./check-history.ts";
import type { Call, Evidence, HistoryEvent, PushReceipt, RunEvidence } from "./history.ts";

const seconds = 1_000;

/** A sound trial: four readers of one site, a reader of another, one run that reached the four. */
function soundTrial(): Evidence {
  const readers = [1, 2, 3, 4].map((index) => ({ subscriberId: index + 100, siteId: "site", index }));
  return {
    events: [call("/v1/campaigns/c/send", { endedAt: 0, body: { runId: "run", duplicate: false } })],
    readers: [...readers, { subscriberId: 999, siteId: "other", index: 9 }],
    receipts: readers.map(({ index }) => receipt(index)),
    runs: [runOf([0x20, 0x20, 0x20, 0x20])],
    lagMs: 0,
  };
}

function receipt(index: number, over: Partial<PushReceipt> = {}): PushReceipt {
  return { index, at: 10 * seconds, status: 201, accepted: true, runId: "run", ...over };
}

function call(path: string, over: Partial<Call> = {}): Call {
  const answered = { outcome: "ok", status: 200, hasRetryAfter: false, body: {} } as const;
  return { kind: "call", at: 0, endedAt: 1, method: "POST", path, idempotencyKey: null, ...answered, ...over };
}

/** A run whose counts all follow from its codes. */
function runOf(codes: number[], over: Partial<RunEvidence> = {}): RunEvidence {
  const recipients = codes.map((code, i) => ({ subscriberId: 101 + i, code }));
  const digits = ["pending", "pending", "accepted", "gone", "failed", "expired", "notSent", "unknown"];
  const sums: Record<string, number> = { repeated: 0 };
  for (const name of digits) sums[name] = codes.filter((code) => digits[code >> 4] === name).length;
  const totals = new Map<number, number>();
  for (const code of codes) totals.set(code, (totals.get(code) ?? 0) + 1);
  return {
    ...{ runId: "run", campaignId: "c", siteId: "site", kind: "live", status: "completed", finished: true },
    ...{ recipients, sums, totals, shown: { ...sums, audience: codes.length } },
    ...over,
  } as RunEvidence;
}

/** The kinds of fault that are found once `spoil` has changed the sound trial. */
function found(spoil: (trial: Evidence) => void): string[] {
  const trial = soundTrial();
  spoil(trial);
  return [...new Set(checkHistory(trial).map(({ kind }) => kind))];
}

function counted(trial: Evidence, repeated: number): void {
  const [run] = trial.runs;
  run!.sums.repeated = repeated;
  run!.shown.repeated = repeated;
}

const killed: HistoryEvent = { kind: "process", at: 5, name: "worker", pid: 7, event: "killed" };

test("the check of a history finds nothing in a sound one", () => {
  expect(found(() => {})).toEqual([]);
});

test("the check of a history finds a reader who is in no batch", () => {
  const spoilt = found((trial) => {
    trial.runs = [runOf([0x20, 0x20, 0x20])];
    trial.receipts.pop();
  });
  expect(spoilt).toEqual(["lost", "counts"]);
});

test("the check of a history finds a reader without an outcome in a run that has ended", () => {
  const spoilt = found((trial) => {
    trial.runs = [runOf([0x20, 0x20, 0x20, 0x01])];
    trial.receipts.pop();
  });
  expect(spoilt).toEqual(["lost"]);
});

test("the check of a history finds a reader who is accepted and of whom the push service knows nothing", () => {
  expect(found((trial) => trial.receipts.pop())).toEqual(["lost", "counts"]);
});

test("the check of a history finds a run that has not ended", () => {
  expect(found((trial) => Object.assign(trial.runs[0]!, { status: "sending", finished: false }))).toEqual([
    "unfinished",
  ]);
});

test("the check of a history finds a reader who stands in two batches", () => {
  const spoilt = found((trial) => {
    trial.runs[0]!.recipients[3] = { subscriberId: 101, code: 0x20 };
  });
  expect(spoilt).toContain("twice in a run");
});

test.each([0x32, 0x50, 0x60])(
  "the check of a history finds a reader who was reached and ends with code %i, which denies it",
  (code) => {
    expect(found((trial) => (trial.runs = [runOf([0x20, 0x20, 0x20, code])]))).toContain("reached but told otherwise");
  },
);

test("the check of a history finds a repeat that the run does not count", () => {
  const spoilt = found((trial) => {
    trial.events.push(killed);
    trial.receipts.push(receipt(1));
  });
  expect(spoilt).toEqual(["repeat not counted"]);
});

test("the check of a history finds repeats that no death and no lost answer explains", () => {
  const spoilt = found((trial) => {
    trial.receipts.push(receipt(1));
    counted(trial, 1);
  });
  expect(spoilt).toContain("too many repeats");
});

test("the check of a history takes a repeat for explained where its process died, or its answer was lost", () => {
  const died = (trial: Evidence) => {
    trial.events.push(killed);
    trial.receipts.push(receipt(1));
    counted(trial, 1);
  };
  expect(found(died)).toEqual([]);
  const lost = (trial: Evidence) => {
    trial.receipts.push(receipt(1, { status: 500, accepted: false }), receipt(1, { at: 11 * seconds }));
    counted(trial, 1);
  };
  expect(found(lost)).toEqual([]);
});

test("the check of a history finds more than 500 repeats for one dead process", () => {
  const spoilt = found((trial) => {
    trial.events.push(killed);
    for (let i = 0; i < 501; i++) trial.receipts.push(receipt(1));
    counted(trial, 501);
  });
  expect(spoilt).toEqual(["too many repeats"]);
});

test("the check of a history finds a repeat of a reader who was not uncertain when the process died", () => {
  const withLook = (subscriberIds: number[]) => (trial: Evidence) => {
    trial.events.push(killed, { kind: "uncertain", at: 6, pid: 7, subscriberIds });
    trial.receipts.push(receipt(1));
    counted(trial, 1);
  };
  expect(found(withLook([101]))).toEqual([]);
  expect(found(withLook([102]))).toEqual(["repeat not foreseen"]);
});

test("the check of a history finds a process that left more than 500 uncertain", () => {
  const subscriberIds = Array.from({ length: 501 }, (_, i) => i);
  const spoilt = found((trial) => trial.events.push(killed, { kind: "uncertain", at: 6, pid: 7, subscriberIds }));
  expect(spoilt).toEqual(["too many repeats"]);
});

test.each(["accepted", "repeated", "audience"])("the check of a history finds an API that shows another %s", (name) => {
  expect(found((trial) => Object.assign(trial.runs[0]!.shown, { [name]: 77 }))).toEqual(["counts"]);
});

test("the check of a history finds batches, or final totals, that do not add up", () => {
  expect(found((trial) => Object.assign(trial.runs[0]!.sums, { gone: 1 }))).toEqual(["counts"]);
  expect(found((trial) => trial.runs[0]!.totals.set(0x31, 1))).toEqual(["counts"]);
});

test("the check of a history finds two live runs of a campaign, in the database or in the answers", () => {
  const inDatabase = found((trial) => {
    trial.runs.push(runOf([0x20, 0x20, 0x20, 0x20], { runId: "second" }));
    trial.receipts.push(...[1, 2, 3, 4].map((index) => receipt(index, { runId: "second" })));
  });
  expect(inDatabase).toEqual(["second live run"]);
  const another = call("/v1/campaigns/c/send", { body: { runId: "run", duplicate: false } });
  expect(found((trial) => trial.events.push(another))).toEqual(["second live run"]);
  const otherRun = call("/v1/campaigns/c/send", { body: { runId: "second", duplicate: true } });
  expect(found((trial) => trial.events.push(otherRun))).toEqual(["second live run"]);
});

test("the check of a history finds a message to a reader of another tenant, refused or not", () => {
  expect(found((trial) => trial.receipts.push(receipt(9, { status: 403, accepted: false })))).toEqual([
    "foreign receipt",
  ]);
});

test("the check of a history finds a message a second after the answer to a stop", () => {
  const stop = call("/v1/runs/run/stop", { endedAt: 10 * seconds - 1_001 });
  expect(found((trial) => trial.events.push(stop))).toEqual(["sent after stop"]);
  expect(found((trial) => trial.events.push({ ...stop, endedAt: 10 * seconds - 999 }))).toEqual([]);
  expect(found((trial) => trial.events.push({ ...stop, outcome: "unknown" }))).toEqual([]);
});

test("the check of a history finds a message two seconds into a pause, and none after it was lifted", () => {
  const paused = (at: number): HistoryEvent => ({ kind: "pause", at, siteId: "site", event: "paused" });
  const lifted = (at: number): HistoryEvent => ({ kind: "pause", at, siteId: "site", event: "lifted" });
  expect(found((trial) => trial.events.push(paused(7 * seconds)))).toEqual(["sent while paused"]);
  expect(found((trial) => trial.events.push(paused(7 * seconds), lifted(9 * seconds)))).toEqual([]);
  expect(found((trial) => trial.events.push(paused(9 * seconds)))).toEqual([]);
});

test("the check of a history finds a 5xx, unless it is a 503 with Retry-After while the database was away", () => {
  const failed = call("/v1/runs/run", { at: 20, endedAt: 30, outcome: "failed", status: 503, hasRetryAfter: true });
  const away: HistoryEvent = { kind: "database", at: 10, event: "away" };
  const back: HistoryEvent = { kind: "database", at: 15, event: "back" };
  expect(found((trial) => trial.events.push(failed))).toEqual(["5xx"]);
  expect(found((trial) => trial.events.push(away, back, failed))).toEqual([]);
  expect(found((trial) => trial.events.push(away, back, { ...failed, status: 500 }))).toEqual(["5xx"]);
  expect(found((trial) => trial.events.push(away, back, { ...failed, hasRetryAfter: false }))).toEqual(["5xx"]);
  expect(found((trial) => trial.events.push(away, back, { ...failed, at: 9_000, endedAt: 9_001 }))).toEqual(["5xx"]);
});

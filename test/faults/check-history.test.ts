import { expect, test } from "vitest";
import { checkHistory } from "./check-history.ts";
import type { Call, Evidence, HistoryEvent, ProcessEvent, PushReceipt, RunEvidence } from "./history.ts";

const seconds = 1_000;

/** Evidence without violations: four readers of one site, a reader of another, one run that reached the four. */
function validEvidence(): Evidence {
  const readers = [1, 2, 3, 4].map((index) => ({ subscriberId: index + 100, siteId: "site", index }));
  return {
    events: [call("/v1/campaigns/c/send", { endedAt: 0, body: { runId: "run", duplicate: false } })],
    readers: [...readers, { subscriberId: 999, siteId: "other", index: 9 }],
    receipts: readers.map(({ index }) => receipt(index)),
    runs: [runOf([0x20, 0x20, 0x20, 0x20])],
    subscribed: new Set([101, 102, 103, 104, 999]),
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

/** Returns a run whose counts all follow from its codes. */
function runOf(codes: number[], over: Partial<RunEvidence> = {}): RunEvidence {
  const recipients = codes.map((code, i) => ({ subscriberId: 101 + i, code }));
  const digits = ["pending", "pending", "accepted", "gone", "failed", "expired", "notSent", "unknown"];
  const sums: Record<string, number> = { repeated: 0 };
  for (const name of digits) sums[name] = codes.filter((code) => digits[code >> 4] === name).length;
  const totals = new Map<number, number>();
  for (const code of codes) totals.set(code, (totals.get(code) ?? 0) + 1);
  return {
    runId: "run",
    campaignId: "c",
    siteId: "site",
    kind: "live",
    status: "completed",
    finished: true,
    expiresAt: 600 * seconds,
    finishedAt: 20 * seconds,
    onUncertain: "resend",
    siteRemoved: false,
    recipients,
    sums,
    totals,
    shown: { ...sums, audience: codes.length },
    ...over,
  } as RunEvidence;
}

/** Returns the kinds of violation that the check finds once `spoil` has changed the valid evidence. */
function found(spoil: (evidence: Evidence) => void): string[] {
  const evidence = validEvidence();
  spoil(evidence);
  return [...new Set(checkHistory(evidence).map(({ kind }) => kind))];
}

function setRepeated(evidence: Evidence, repeated: number): void {
  const [run] = evidence.runs;
  run!.sums.repeated = repeated;
  run!.shown.repeated = repeated;
}

function process(event: ProcessEvent["event"], at: number, name = "worker 1", pid = 7): ProcessEvent {
  return { kind: "process", at, name, pid, event };
}

/** A process that was killed right after the messages of the valid evidence were sent. */
const killed = process("killed", 10 * seconds + 5);

test("the check of a history finds nothing in a valid one", () => {
  expect(found(() => {})).toEqual([]);
});

test("the check of a history finds a reader who is in no batch", () => {
  const spoilt = found((evidence) => {
    evidence.runs = [runOf([0x20, 0x20, 0x20])];
    evidence.receipts.pop();
  });
  expect(spoilt).toEqual(["lost", "counts"]);
});

test("the check of a history finds a reader without an outcome in a run that has ended", () => {
  const spoilt = found((evidence) => {
    evidence.runs = [runOf([0x20, 0x20, 0x20, 0x01])];
    evidence.receipts.pop();
  });
  expect(spoilt).toEqual(["lost"]);
});

test("the check of a history finds an accepted reader without a receipt of the push service", () => {
  expect(found((evidence) => evidence.receipts.pop())).toEqual(["lost", "counts"]);
});

test("the check of a history finds a run that has not ended", () => {
  expect(found((evidence) => Object.assign(evidence.runs[0]!, { status: "sending", finished: false }))).toEqual([
    "unfinished",
  ]);
});

test("the check of a history finds a reader who is in two batches", () => {
  const spoilt = found((evidence) => {
    evidence.runs[0]!.recipients[3] = { subscriberId: 101, code: 0x20 };
  });
  expect(spoilt).toContain("twice in a run");
});

test.each([0x32, 0x50, 0x60])(
  "the check of a history finds a reached reader with code %i, which means not reached",
  (code) => {
    expect(found((evidence) => (evidence.runs = [runOf([0x20, 0x20, 0x20, code])]))).toContain(
      "reached but ended otherwise",
    );
  },
);

/** Makes reader 4 end with `code` instead of being reached. `answered` is the status of the push service's answer. */
function endsAs(evidence: Evidence, code: number, answered?: number): void {
  evidence.receipts.pop();
  if (answered !== undefined) evidence.receipts.push(receipt(4, { status: answered, accepted: false }));
  evidence.runs = [runOf([0x20, 0x20, 0x20, code])];
  evidence.subscribed.delete(104);
}

test.each([0x30, 0x31, 0x32, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x50, 0x60, 0x70])(
  "the check of a history finds a reader who ends with code %i without its cause",
  (code) => {
    expect(found((evidence) => endsAs(evidence, code))).toEqual(["outcome without cause"]);
  },
);

test.each([
  [404, 0x30],
  [410, 0x31],
  [400, 0x41],
  [413, 0x42],
  [401, 0x43],
  [403, 0x44],
  [307, 0x45],
  [418, 0x46],
])("the check of a history accepts status %i as the cause of code %i, and of no other", (status, code) => {
  expect(found((evidence) => endsAs(evidence, code, status))).toEqual([]);
  expect(found((evidence) => endsAs(evidence, code === 0x46 ? 0x41 : 0x46, status))).toEqual(["outcome without cause"]);
});

test("the check of a history accepts unsubscribed and unknown only for readers who left", () => {
  const left = (code: number, subscriberIds: number[]) => (evidence: Evidence) => {
    endsAs(evidence, code);
    evidence.events.push({ kind: "left", at: 5, subscriberIds });
  };
  expect(found(left(0x32, [104]))).toEqual([]);
  expect(found(left(0x70, [104]))).toEqual([]);
  expect(found(left(0x32, [103]))).toEqual(["outcome without cause"]);
  expect(found(left(0x70, [103]))).toEqual(["outcome without cause"]);
});

test("the check of a history accepts a stop as a cause, unless the stop was refused", () => {
  const stopped = (code: number, over: Partial<Call>) => (evidence: Evidence) => {
    endsAs(evidence, code);
    evidence.events.push(process("started", 0, "api 1"), process("terminated", 15 * seconds, "api 1"));
    evidence.events.push(call("/v1/runs/run/stop", { at: 15 * seconds, endedAt: 16 * seconds, ...over }));
  };
  for (const code of [0x60, 0x70]) {
    expect(found(stopped(code, {}))).toEqual([]);
    expect(found(stopped(code, { outcome: "unknown", status: 0 }))).toEqual([]);
    expect(found(stopped(code, { outcome: "refused", status: 409 }))).toEqual(["outcome without cause"]);
    expect(found(stopped(code, { path: "/v1/runs/another/stop" }))).toEqual(["outcome without cause"]);
  }
});

test("the check of a history accepts expiry and skip as causes of their codes", () => {
  const ends = (code: number, over: Partial<RunEvidence>) => (evidence: Evidence) => {
    endsAs(evidence, code);
    Object.assign(evidence.runs[0]!, over);
  };
  expect(found(ends(0x50, { expiresAt: 19 * seconds }))).toEqual([]);
  expect(found(ends(0x70, { expiresAt: 19 * seconds }))).toEqual([]);
  expect(found(ends(0x70, { onUncertain: "skip" }))).toEqual([]);
  expect(found(ends(0x50, { onUncertain: "skip" }))).toEqual(["outcome without cause"]);
});

test("the check of a history finds a gone reader who is a subscriber after the run", () => {
  const kept = (evidence: Evidence) => {
    endsAs(evidence, 0x31, 410);
    evidence.subscribed.add(104);
  };
  expect(found(kept)).toEqual(["gone but subscribed"]);
  const unfinished = found((evidence) => {
    kept(evidence);
    Object.assign(evidence.runs[0]!, { status: "sending", finished: false });
  });
  expect(unfinished).toEqual(["unfinished"]);
});

test("the check of a history finds a repeat that the run does not count", () => {
  const spoilt = found((evidence) => {
    evidence.events.push(killed);
    evidence.receipts.push(receipt(1));
  });
  expect(spoilt).toEqual(["repeat not counted"]);
});

/** Sends the message to reader 1 again. The run counts the repeat. */
function sentAgain(evidence: Evidence, times = 1): void {
  for (let i = 0; i < times; i++) evidence.receipts.push(receipt(1, { at: 11 * seconds }));
  setRepeated(evidence, times);
}

/** Returns the snapshot of the ledger at the moment when the process was killed. */
function snapshot(subscriberIds: number[]): HistoryEvent {
  return { kind: "uncertain", at: killed.at + 1, pid: killed.pid, subscriberIds };
}

test("the check of a history finds a repeat that neither a death nor a lost answer explains", () => {
  expect(found((evidence) => sentAgain(evidence))).toEqual(["repeat not explained"]);
});

test("the check of a history accepts a repeat whose process died or whose answer was lost", () => {
  const died = (evidence: Evidence) => {
    evidence.events.push(killed);
    sentAgain(evidence);
  };
  expect(found(died)).toEqual([]);
  const lost = (evidence: Evidence) => {
    evidence.receipts[0] = receipt(1, { status: 0 });
    sentAgain(evidence);
  };
  expect(found(lost)).toEqual([]);
});

test("the check of a history finds a repeat long before or after a process died", () => {
  const diedAt = (at: number) => (evidence: Evidence) => {
    evidence.events.push({ ...killed, at });
    sentAgain(evidence);
  };
  expect(found(diedAt(31 * seconds))).toEqual(["repeat not explained"]);
  expect(found(diedAt(8 * seconds))).toEqual(["repeat not explained"]);
});

test("the check of a history finds more than 500 repeats for one dead process", () => {
  const withEvents = (events: HistoryEvent[]) => (evidence: Evidence) => {
    evidence.events.push(...events);
    sentAgain(evidence, 501);
  };
  expect(found(withEvents([{ ...killed, at: 11 * seconds + 5 }]))).toEqual(["too many repeats"]);
  expect(found(withEvents([killed, snapshot([101])]))).toEqual(["too many repeats"]);
});

test("the check of a history finds a repeat of a reader who was not uncertain at the death", () => {
  const withSnapshot = (subscriberIds: number[]) => (evidence: Evidence) => {
    evidence.events.push(killed, snapshot(subscriberIds));
    sentAgain(evidence);
  };
  expect(found(withSnapshot([101]))).toEqual([]);
  expect(found(withSnapshot([102]))).toEqual(["repeat not explained"]);
});

test("the check of a history finds such a repeat while the push service fails, too", () => {
  const withPushFault = (from: number, to: number, uncertainAtMost: number, times: number) => (evidence: Evidence) => {
    const pushFault = { kind: "push" as const, at: from, endedAt: to, fault: "connections reset", uncertainAtMost };
    evidence.events.push(killed, snapshot([102]), pushFault);
    sentAgain(evidence, times);
  };
  expect(found(withPushFault(9 * seconds, 12 * seconds, 0, 1))).toEqual(["repeat not explained"]);
  expect(found(withPushFault(9 * seconds, 12 * seconds, 2, 2))).toEqual([]);
  expect(found(withPushFault(9 * seconds, 12 * seconds, 2, 3))).toEqual(["too many repeats"]);
  expect(found(withPushFault(6 * seconds, 9 * seconds, 2, 1))).toEqual(["repeat not explained"]);
});

test("the check of a history takes a worker long without its database for dead", () => {
  const away = (from: number, to: number): HistoryEvent[] => [
    { kind: "database", at: from * seconds, event: "away" },
    { kind: "database", at: to * seconds, event: "back" },
  ];
  const withEvents = (events: HistoryEvent[]) => (evidence: Evidence) => {
    evidence.events.push(process("started", 0), ...events);
    sentAgain(evidence);
  };
  expect(found(withEvents(away(10, 19)))).toEqual([]);
  expect(found(withEvents([...away(10, 14), ...away(15, 19)]))).toEqual([]);
  const frozen = [process("frozen", 13 * seconds), process("thawed", 19 * seconds)];
  expect(found(withEvents([...away(10, 14), ...frozen]))).toEqual([]);
  expect(found(withEvents(away(10, 14)))).toEqual(["repeat not explained"]);
});

test("the check of a history finds a process that left more than 500 uncertain", () => {
  const subscriberIds = Array.from({ length: 501 }, (_, i) => i + 104);
  expect(found((evidence) => evidence.events.push(killed, snapshot(subscriberIds)))).toEqual(["too many repeats"]);
  const oneLost = found((evidence) => {
    evidence.events.push(killed, snapshot(subscriberIds));
    evidence.receipts[3] = receipt(4, { status: 0 });
  });
  expect(oneLost).toEqual([]);
});

test.each(["accepted", "repeated", "audience"])("the check of a history finds an API that shows another %s", (name) => {
  expect(found((evidence) => Object.assign(evidence.runs[0]!.shown, { [name]: 77 }))).toEqual(["counts"]);
});

test("the check of a history finds batches and final totals that do not add up", () => {
  expect(found((evidence) => Object.assign(evidence.runs[0]!.sums, { gone: 1 }))).toEqual(["counts"]);
  expect(found((evidence) => evidence.runs[0]!.totals.set(0x31, 1))).toEqual(["counts"]);
});

test("the check of a history finds two live runs of a campaign, in rows or answers", () => {
  const inDatabase = found((evidence) => {
    evidence.runs.push(runOf([0x20, 0x20, 0x20, 0x20], { runId: "second" }));
    evidence.receipts.push(...[1, 2, 3, 4].map((index) => receipt(index, { runId: "second" })));
  });
  expect(inDatabase).toEqual(["second live run"]);
  const another = call("/v1/campaigns/c/send", { body: { runId: "run", duplicate: false } });
  expect(found((evidence) => evidence.events.push(another))).toEqual(["second live run"]);
  const otherRun = call("/v1/campaigns/c/send", { body: { runId: "second", duplicate: true } });
  expect(found((evidence) => evidence.events.push(otherRun))).toEqual(["second live run"]);
});

test("the check of a history finds a message to a reader of another tenant, refused or not", () => {
  expect(found((evidence) => evidence.receipts.push(receipt(9, { status: 403, accepted: false })))).toEqual([
    "foreign receipt",
  ]);
});

test("the check of a history finds a message a second after the answer to a stop", () => {
  const stop = call("/v1/runs/run/stop", { endedAt: 10 * seconds - 1_001 });
  expect(found((evidence) => evidence.events.push(stop))).toEqual(["sent after stop"]);
  expect(found((evidence) => evidence.events.push({ ...stop, endedAt: 10 * seconds - 999 }))).toEqual([]);
  expect(found((evidence) => evidence.events.push({ ...stop, outcome: "unknown" }))).toEqual([]);
});

test("the check of a history finds a message two seconds into a pause, not after it", () => {
  const paused = (at: number): HistoryEvent => ({ kind: "pause", at, siteId: "site", event: "paused" });
  const lifted = (at: number): HistoryEvent => ({ kind: "pause", at, siteId: "site", event: "lifted" });
  expect(found((evidence) => evidence.events.push(paused(7 * seconds)))).toEqual(["sent while paused"]);
  expect(found((evidence) => evidence.events.push(paused(7 * seconds), lifted(9 * seconds)))).toEqual([]);
  expect(found((evidence) => evidence.events.push(paused(9 * seconds)))).toEqual([]);
});

test("the check of a history finds a 5xx, except 503 with Retry-After for the database", () => {
  const failed = call("/v1/runs/run", { at: 20, endedAt: 30, outcome: "failed", status: 503, hasRetryAfter: true });
  const away: HistoryEvent = { kind: "database", at: 10, event: "away" };
  const back: HistoryEvent = { kind: "database", at: 15, event: "back" };
  expect(found((evidence) => evidence.events.push(failed))).toEqual(["5xx"]);
  expect(found((evidence) => evidence.events.push(away, back, failed))).toEqual([]);
  expect(found((evidence) => evidence.events.push(away, back, { ...failed, status: 500 }))).toEqual(["5xx"]);
  expect(found((evidence) => evidence.events.push(away, back, { ...failed, hasRetryAfter: false }))).toEqual(["5xx"]);
  expect(found((evidence) => evidence.events.push(away, back, { ...failed, at: 9_000, endedAt: 9_001 }))).toEqual([
    "5xx",
  ]);
});

test("the check of a history finds a process that ended by itself after its start", () => {
  const running = [process("spawned", 1 * seconds), process("started", 2 * seconds)];
  const ended = process("ended", 4 * seconds);
  const outage: HistoryEvent[] = [
    { kind: "database", at: 3 * seconds, event: "away" },
    { kind: "database", at: 5 * seconds, event: "back" },
  ];
  const withEvents = (...events: HistoryEvent[]) => found((evidence) => evidence.events.push(...events));
  expect(withEvents(...running, ended)).toEqual(["unexpected end"]);
  expect(withEvents(...running, ...outage, ended)).toEqual(["unexpected end"]);
  expect(withEvents(running[0]!, ended)).toEqual(["unexpected end"]);
  expect(withEvents(running[0]!, ...outage, ended)).toEqual([]);
  expect(withEvents(...running, process("terminated", 3 * seconds), ended)).toEqual([]);
  expect(withEvents(...running, process("killed", 3 * seconds), ended)).toEqual([]);
});

test("the check of a history finds a call without an answer while the API was up", () => {
  const lost = call("/v1/runs/run", { at: 5 * seconds, endedAt: 6 * seconds, outcome: "unknown", status: 0 });
  const up = process("started", 1 * seconds, "api 1");
  const withEvents = (...events: HistoryEvent[]) => found((evidence) => evidence.events.push(lost, ...events));
  expect(withEvents(up)).toEqual(["no answer"]);
  expect(withEvents(up, process("killed", 7 * seconds, "api 1"))).toEqual(["no answer"]);
  expect(withEvents(up, process("killed", 5.5 * seconds, "api 1"))).toEqual([]);
  const gone = [process("terminated", 3 * seconds, "api 1"), process("ended", 4 * seconds, "api 1")];
  expect(withEvents(up, ...gone)).toEqual([]);
  expect(withEvents(up, ...gone, process("started", 4.5 * seconds, "start 2", 8))).toEqual(["no answer"]);
  expect(withEvents()).toEqual([]);
});

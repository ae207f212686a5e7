import { momentAt } from "../../src/local-time.ts";
import { findWinner, leaderOf } from "../../src/runs/headline-test/check-test.ts";
import { finalCode } from "../../src/runs/ledger/codes.ts";
import { waveOfZone } from "../../src/runs/waves/waves.ts";
import { zonesOfReaders } from "./audience.ts";
import { divide, type SendRows, scheduleOf } from "./rows.ts";

type Row = Record<string, unknown>;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** How far the first clocks are ahead of UTC. A run with local-time delivery begins when they show the hour. */
const firstZoneAheadMs = 14 * hourMs;
const testShare = 50;
const testMinutes = 60;
/**
 * The share of displays that come within the test, and how the click rates of both headlines compare to that of the
 * run.
 */
const shownWithinTest = 0.5;
const clickRates = [0.55, 1.45];

/** The fewest readers of a special send. With fewer, a headline test shows nothing, and a zone may have no readers. */
const readersNeeded = 500;

/**
 * Turns one of the last sends into a headline test. Turns another one, which began in the evening, into a send with
 * local-time delivery in the morning. `written`: the rows of all sends, the oldest first. `timeZone`: that of the
 * site.
 */
export function withSpecialSends(written: SendRows[], timeZone: string, nowMs: number): SendRows[] {
  const isPlain = ({ runs: [run], campaigns: [campaign], planned_sends: [schedule] }: SendRows) =>
    run?.status === "completed" &&
    Number(run.expected_audience) >= readersNeeded &&
    isEmpty(campaign?.topic_ids) &&
    campaign!.corrects === null &&
    schedule === undefined;
  const beganMs = ({ runs: [run] }: SendRows) => Date.parse(String(run!.created_at));
  const isOfEvening = (send: SendRows) => [15, 16, 17, 18].includes(new Date(beganMs(send)).getUTCHours());
  const tested = written.findLast((send) => isPlain(send) && beganMs(send) < nowMs - 12 * hourMs);
  const atTheirHour = written.findLast(
    (send) => isPlain(send) && isOfEvening(send) && beganMs(send) < nowMs - 4 * 24 * hourMs,
  );
  return written.map((send) => {
    if (send === tested) return withHeadlineTest(send);
    return send === atTheirHour ? withLocalTime(send, zonesOfReaders(timeZone), timeZone) : send;
  });
}

const isEmpty = (list: unknown) => Array.isArray(list) && list.length === 0;

/** Turns a send to all into a test of two headlines. The second one has title and text exchanged. */
function withHeadlineTest(rows: SendRows): SendRows {
  const [campaign, run] = [rows.campaigns[0]!, rows.runs[0]!];
  const message = rows.run_messages[0]!.message as { title: string; body: string };
  const other = { title: message.body.replace(/\.$/, ""), body: `${message.title}.` };
  const [accepted, displayed, clicked] = [acceptedOf(rows), sumOf(rows, "displayed"), sumOf(rows, "clicked")];
  const part = testShare / 100 / clickRates.length;
  const figures = clickRates.map((rate) => ({
    recipients: Math.floor(Number(run.expected_audience) * part),
    accepted: Math.floor(accepted * part),
    shown: Math.floor(displayed * part * shownWithinTest),
    measured: Math.floor(displayed * part * shownWithinTest),
    clicked: Math.floor(clicked * part * shownWithinTest * rate),
  }));
  const winner = findWinner(figures);
  const minutes = winner === undefined ? testMinutes : 0.7 * testMinutes;
  const test = {
    site_id: run.site_id,
    run_id: run.id,
    waits_for: null,
    time_left: `${testMinutes} minutes`,
    ends_at: later(run.created_at, testMinutes * minuteMs),
    figures,
    chosen: winner ?? leaderOf(figures),
    ended_at: later(run.created_at, minutes * minuteMs),
    outcome: winner === undefined ? "no_difference" : "winner",
  };
  const extras = { variants: [other], testShare, testMinutes };
  const ended = { finished_at: later(test.ended_at, 5_000), pruned_at: later(test.ended_at, 5_000) };
  return {
    ...rows,
    campaigns: [{ ...campaign, extras }],
    runs: [{ ...run, ...ended, timing: { at: "test", share: testShare, minutes: testMinutes } }],
    run_messages: [...rows.run_messages, { ...rows.run_messages[0]!, no: 1, message: { ...message, ...other } }],
    headline_tests: [test],
  };
}

/**
 * Turns a send to all into a send with local-time delivery. Its hour is the local hour in the first zone on earth when
 * the run began. `zones`: those of the readers, one for each tenth. `siteZone`: for readers whose zone is unknown.
 */
function withLocalTime(rows: SendRows, zones: string[], siteZone: string): SendRows {
  const [campaign, run, sent] = [rows.campaigns[0]!, rows.runs[0]!, rows.audit_events.at(-1)!];
  const beganMs = Date.parse(String(run.created_at));
  const localTime = hourOf(beganMs + firstZoneAheadMs);
  const waves = wavesOf(rows, (zone) => waveOfZone(localTime, zone, siteZone, beganMs), zones);
  const lastAt = waves
    .map(({ opens_at }) => opens_at)
    .toSorted()
    .at(-1)!;
  const siteMoment = new Date(momentAt(siteZone, localTime)).toISOString();
  const hoursLater = Math.round((Date.parse(siteMoment) - beganMs) / hourMs);
  const scheduled = {
    ...sent,
    at: later(run.created_at, -hourMs),
    event: "campaign.scheduled",
    details: { scheduledAt: run.created_at, localTime },
  };
  const schedule = {
    ...scheduleOf(campaign, String(run.created_at), beganMs - hourMs),
    local_time: localTime,
    late_from: siteMoment,
  };
  const ended = { finished_at: later(lastAt, 5_000), pruned_at: later(lastAt, 5_000) };
  const expires = { expires_at: later(lastAt, Number(run.ttl_seconds) * 1_000) };
  const timing = { at: "localTime", hour: localTime, from: run.created_at };
  return {
    ...rows,
    campaigns: [{ ...campaign, created_at: later(run.created_at, -2 * hourMs) }],
    planned_sends: [schedule],
    runs: [{ ...run, ...ended, ...expires, timing, counts_at: siteMoment }],
    run_waves: waves,
    receipt_hours: rows.receipt_hours.map((one) => ({ ...one, hour: later(one.hour, hoursLater * hourMs) })),
    audit_events: [scheduled, { ...sent, actor: "schedule" }],
  };
}

/** Returns the day and time in UTC at `ms`. */
function hourOf(ms: number): { date: string; time: string } {
  const shown = new Date(ms).toISOString();
  return { date: shown.slice(0, 10), time: shown.slice(11, 16) };
}

/** Divides the recipients of a run among the moments of their zones. */
function wavesOf(
  rows: SendRows,
  waveOf: (zone: string) => { at: Date; utcOffset: number | null },
  zones: string[],
): (Row & { opens_at: string })[] {
  const run = rows.runs[0]!;
  const byMoment = [...Map.groupBy(zones.map(waveOf), ({ at }) => at.toISOString())];
  const shares = byMoment.map(([, ofMoment]) => ofMoment.length / zones.length);
  const readers = divide(Number(run.expected_audience), shares);
  const accepted = divide(acceptedOf(rows), shares);
  return byMoment.map(([at, [first]], i) => ({
    site_id: run.site_id,
    run_id: run.id,
    no: i + 1,
    opens_at: at,
    utc_offset: first!.utcOffset,
    readers: readers[i]!,
    accepted: accepted[i]!,
    expires_at: later(at, Number(run.ttl_seconds) * 1_000),
    opened_at: at,
    ended_at: later(at, 5_000),
  }));
}

function acceptedOf({ run_totals }: SendRows): number {
  return run_totals.reduce((sum, { code, n }) => sum + (code === finalCode.accepted ? Number(n) : 0), 0);
}

function sumOf({ receipt_hours }: SendRows, kind: "displayed" | "clicked"): number {
  return receipt_hours.reduce((sum, hour) => sum + Number(hour[kind]), 0);
}

function later(iso: unknown, ms: number): string {
  return new Date(Date.parse(String(iso)) + ms).toISOString();
}

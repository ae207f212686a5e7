import { isTimeZone, type LocalTime, momentAt, utcOffsetAt } from "../../local-time.ts";
import type { WaveRecord } from "../ledger/waves.ts";

/** How far local clocks can be ahead of UTC or behind it, in ms. */
const aheadMs = 14 * 3_600_000;
const behindMs = 12 * 3_600_000;

/** The longest time since a reader's hour for which the reader still counts as on time, ms. */
const onTimeMs = 60_000;

/** Returns the first and the last moment, in ms since 1970, at which the local time is this hour anywhere. */
export function spanOf({ date, time }: LocalTime): { firstMs: number; lastMs: number } {
  const shown = Date.parse(`${date}T${time}:00Z`);
  return { firstMs: shown - aheadMs, lastMs: shown + behindMs };
}

/** When the readers of a time zone are notified. `utcOffset`: in minutes; null if their hour had passed. */
export type ZoneWave = { zone: string; at: Date; utcOffset: number | null };

/**
 * Returns when a run that was due at `fromMs` notifies readers of `zone`. They are notified at their hour, or
 * immediately if it had passed. Readers of an unknown zone are notified at the hour of the site.
 */
export function waveOfZone(hour: LocalTime, zone: string, siteZone: string, fromMs: number): ZoneWave {
  const known = isTimeZone(zone) ? zone : siteZone;
  const atMs = momentAt(known, hour);
  if (atMs < fromMs - onTimeMs) return { zone, at: new Date(fromMs), utcOffset: null };
  return { zone, at: new Date(atMs), utcOffset: utcOffsetAt(known, atMs) };
}

/**
 * The state of a wave.
 * - `waiting`: its moment has not come.
 * - `missed`: it could not be sent within its time to live, or may have been sent before a restore.
 * - `stopped`: the run was stopped before the moment of the wave, or before all its readers had a try.
 */
export type WaveState = "waiting" | "sending" | "done" | "stopped" | "missed";

/**
 * A wave in the form of the API. `utcOffset`: such as `+05:30`; null if the readers' hour had passed, so that they
 * were notified immediately.
 */
export type WaveView = {
  at: string;
  utcOffset: string | null;
  readers: number;
  pending: number;
  accepted: number;
  state: WaveState;
};

/** Returns a wave in the form of the API. `runEndedAt`: when its run was stopped or ended; null if neither. */
export function viewWave(wave: WaveRecord, runEndedAt: Date | null): WaveView {
  const { opensAt, utcOffset, readers, pending, accepted } = wave;
  const state = stateOf(wave, runEndedAt);
  return {
    at: opensAt!.toISOString(),
    utcOffset: utcOffset === null ? null : offsetText(utcOffset),
    readers,
    pending,
    accepted,
    state,
  };
}

function stateOf({ pending, openedAt, endedAt }: WaveRecord, runEndedAt: Date | null): WaveState {
  if (openedAt !== null) return pending > 0 ? "sending" : "done";
  if (pending > 0) return "waiting";
  const isMissed = endedAt !== null && (runEndedAt === null || endedAt < runEndedAt);
  return isMissed ? "missed" : "stopped";
}

/** Returns minutes from UTC as text, such as `+05:30`. */
export function offsetText(minutes: number): string {
  const whole = Math.abs(minutes);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(whole / 60))}:${two(whole % 60)}`;
}

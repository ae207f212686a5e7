import { z } from "zod";
import { expects, wholeNumber } from "../../input.ts";
import type { Said } from "../../messages.ts";
import type { TestDevice } from "../../runs/test-results.ts";

/** The steps of a fire drill, in order. */
export const drillSteps = ["planned", "sent", "accepted", "displayed"] as const;
export type DrillStep = (typeof drillSteps)[number];

/** The step that a drill did not reach. `canary`: the canary had left, so nothing was sent. */
export type FailedStep = "canary" | DrillStep;

/** A drill that has not reached all steps within this time has failed. */
export const drillSeconds = 300;

/** The shortest and the longest time from one drill to the next, in minutes. */
export const minEvery = 15;
export const maxEvery = 1_440;

/** The settings of an owner. `canaryId`: the test device that gets the drills. Null switches them off. */
export type DrillSettings = { canaryId: string | null; everyMinutes: number };

/** The settings of a site whose owner never set them. */
export const noDrill: DrillSettings = { canaryId: null, everyMinutes: 60 };

/** The body of a change. Absent fields stay. */
export const drillChange = z
  .strictObject(
    {
      canaryId: z.string(expects("the id of a test device, or null")).nullable(),
      everyMinutes: wholeNumber(minEvery, maxEvery),
    },
    expects("a JSON object"),
  )
  .partial();

/** The last drill of a site. */
export type DrillResult = {
  startedAt: string;
  /** Null while it runs. */
  endedAt: string | null;
  /** Seconds from its start to each step, as they were seen; null for a step that it has not reached. */
  seconds: Record<DrillStep, number | null>;
  /** Whether the canary's browser reports displays. If not, a drill ends when the push service has accepted it. */
  expectsDisplay: boolean;
};

/** Why the most recent finished drill failed. `message` says what to do. */
export type DrillFailure = Said & { step: FailedStep };

export type Drill = DrillSettings & {
  last: DrillResult | null;
  /** Null if the most recent finished drill passed, or if none has finished. It stays while the next drill runs. */
  failure: DrillFailure | null;
  /** The test devices of the site: each of them can be the canary. */
  testDevices: { deviceId: string; label: string | null }[];
};

/** A row of `drills`. */
export type DrillRow = {
  canaryId: number | null;
  everyMinutes: number;
  startedAt: Date | null;
  plannedAt: Date | null;
  sentAt: Date | null;
  acceptedAt: Date | null;
  displayedAt: Date | null;
  endedAt: Date | null;
  expectsDisplay: boolean;
  failedStep: FailedStep | null;
  failedCode: number | null;
};

/** Returns the owner's settings. */
export function settingsOf(row: DrillRow | undefined): DrillSettings {
  if (row === undefined) return noDrill;
  return { canaryId: row.canaryId === null ? null : String(row.canaryId), everyMinutes: row.everyMinutes };
}

/** Returns the drill as pages and commands show it. `failure`: why the drill of the row failed. */
export function viewDrill(row: DrillRow | undefined, failure: DrillFailure | null, devices: TestDevice[]): Drill {
  return {
    ...settingsOf(row),
    last: row === undefined || row.startedAt === null ? null : viewLast(row, row.startedAt),
    failure,
    testDevices: devices.map(({ id, label }) => ({ deviceId: String(id), label })),
  };
}

function viewLast(row: DrillRow, startedAt: Date): DrillResult {
  const after = (at: Date | null) => at && Math.max(0, Math.round((at.getTime() - startedAt.getTime()) / 100) / 10);
  return {
    startedAt: startedAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    seconds: {
      planned: after(row.plannedAt),
      sent: after(row.sentAt),
      accepted: after(row.acceptedAt),
      displayed: after(row.displayedAt),
    },
    expectsDisplay: row.expectsDisplay,
  };
}

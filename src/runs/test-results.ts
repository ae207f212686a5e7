import { sql } from "kysely";
import { type Executor, rows } from "../db/pool.ts";
import { type Said, said } from "../messages.ts";
import { subscribersAmong } from "../subscribers/queries.ts";
import { type CountName, type FinalCode, finalCode, finalCodes, isFinal, statusOfCode } from "./ledger/codes.ts";
import { messageOfCode, runMessages } from "./messages.ts";
import type { RunRef } from "./queries.ts";

/** A test subscriber as it was when the test began. Its row is deleted when its push service reports it gone. */
export type TestDevice = { id: number; label: string | null };

/** The result of a test on one device. `status`: the push service's HTTP status, if the code implies it. */
export type TestResult = Said & {
  testSubscriberId: string;
  label: string | null;
  outcome: CountName;
  status: number | null;
};

/** The status of a message that WNS takes. The other push services answer 201. */
const acceptedByWns = 200;

/**
 * Returns the results of a test run for `devices`, in the same order. A result is `pending` while the device's batch
 * is not done.
 */
export async function readTestResults(on: Executor, run: RunRef, devices: TestDevice[]): Promise<TestResult[]> {
  const { planned, places } = await readPlaces(on, run);
  const unplaced = devices.map(({ id }) => id).filter((id) => planned && !places.has(id));
  const stillThere = unplaced.length === 0 ? new Set() : await subscribersAmong(on, run.siteId, unplaced);
  return devices.map(({ id, label }) => {
    // If the run is planned without the device, and the device is deleted now, it left before the run was planned.
    const place = places.get(id) ?? (planned ? { code: finalCode.unsubscribed, pushService: "" } : undefined);
    return { testSubscriberId: String(id), label, ...(stillThere.has(id) ? missed : resultOf(place)) };
  });
}

/**
 * The result of a device that is subscribed but got nothing. Its mark as a test device was removed before the run was
 * planned.
 */
const missed = { outcome: "notSent", status: null, ...said(runMessages.device_skipped()) } as const;

type Place = { code: number; pushService: string };
type Batch = { planned: boolean; pushService: string | null; codes: Buffer; subscriberIds: number[] };

/**
 * Returns the code of each recipient by subscriber id, and whether the run is planned. It is one statement. With two,
 * a run that is planned between them would seem to have lost its devices.
 */
async function readPlaces(on: Executor, run: RunRef): Promise<{ planned: boolean; places: Map<number, Place> }> {
  const batches = await rows(
    sql<Batch>`select r.planned_at is not null as planned, b.push_service as "pushService", b.codes, p.subscriber_ids as "subscriberIds"
      from runs r
        left join run_batches b on b.site_id = r.site_id and b.run_id = r.id
        left join run_recipients p on p.site_id = b.site_id and p.run_id = b.run_id and p.no = b.no
      where r.site_id = ${run.siteId} and r.id = ${run.runId}`,
    on,
  );
  const places = batches.flatMap(({ pushService, codes, subscriberIds }) =>
    pushService === null
      ? []
      : subscriberIds.map((id, position): [number, Place] => [id, { code: codes[position]!, pushService }]),
  );
  return { planned: batches[0]?.planned ?? false, places: new Map(places) };
}

function resultOf(place: Place | undefined): Omit<TestResult, "testSubscriberId" | "label"> {
  if (place === undefined) return { outcome: "pending", status: null, ...said(runMessages.device_not_taken_up()) };
  const { code, pushService } = place;
  if (!isFinal(code)) return { outcome: "pending", status: null, ...said(runMessages.device_not_answered()) };
  const status =
    code === finalCode.accepted && pushService === "wns" ? acceptedByWns : (statusOfCode[code as FinalCode] ?? null);
  return { outcome: finalCodes[code as FinalCode].class, status, ...said(messageOfCode(code as FinalCode)) };
}

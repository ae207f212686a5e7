import { countCodes } from "../../src/runs/codes.ts";
import type { Fault } from "./check-history.ts";
import type { Evidence, PushReceipt, RunEvidence } from "./history.ts";

const names = ["pending", "accepted", "gone", "failed", "expired", "notSent", "unknown"] as const;

/** Bytes, columns, final totals and the API's answer say the same, and it is the audience; `accepted` is who has it. */
export function countFaults({ events, readers }: Evidence, run: RunEvidence, receipts: PushReceipt[]): Fault[] {
  const counts = countCodes(Uint8Array.from(run.recipients, ({ code }) => code));
  const differ = (what: string, is: unknown, expected: unknown): Fault[] =>
    is === expected ? [] : [{ kind: "counts", text: `${what} of ${run.runId} is ${is}, not ${expected}` }];
  const faults = names.flatMap((name) => [
    ...differ(`${name} in the batches`, run.sums[name], counts[name]),
    ...differ(`${name} in the API`, run.shown[name], counts[name]),
  ]);
  faults.push(...differ("repeated in the API", run.shown.repeated, run.sums.repeated));
  faults.push(...differ("audience in the API", run.shown.audience, run.recipients.length));
  if (run.finished) faults.push(...totalFaults(run, differ));
  const left = events.some((event) => event.kind === "left");
  const audience = readers.filter(({ siteId }) => siteId === run.siteId).length;
  if (run.kind === "live" && !left) faults.push(...differ("audience", run.recipients.length, audience));
  const reached = new Set(receipts.filter(({ accepted }) => accepted).map(({ index }) => index)).size;
  // Who was reached may have another end only where nobody could know: left uncertain, or refused when tried again.
  const uncertain = counts.unknown + counts.gone + counts.failed;
  if (reached < counts.accepted || reached > counts.accepted + uncertain + counts.pending) {
    faults.push({
      kind: "counts",
      text: `${reached} readers of ${run.runId} were reached, ${counts.accepted} accepted`,
    });
  }
  return faults;
}

function totalFaults(run: RunEvidence, differ: (what: string, is: unknown, expected: unknown) => Fault[]): Fault[] {
  const byCode = Map.groupBy(run.recipients, ({ code }) => code);
  const codes = new Set([...byCode.keys(), ...run.totals.keys()]);
  return [...codes].flatMap((code) =>
    differ(`the total of code ${code}`, run.totals.get(code) ?? 0, byCode.get(code)?.length ?? 0),
  );
}

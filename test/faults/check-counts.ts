import { countCodes } from "../../src/runs/ledger/codes.ts";
import type { Evidence, PushReceipt, RunEvidence } from "./history.ts";
import type { Violation } from "./violation.ts";

const names = ["pending", "accepted", "gone", "failed", "expired", "notSent", "unknown"] as const;

/**
 * Checks that codes, columns, final totals and the API agree and add up to the audience. `accepted` must equal the
 * number of readers reached.
 */
export function countViolations({ events, readers }: Evidence, run: RunEvidence, receipts: PushReceipt[]): Violation[] {
  const counts = countCodes(Uint8Array.from(run.recipients, ({ code }) => code));
  const differ = (what: string, is: unknown, expected: unknown): Violation[] =>
    is === expected ? [] : [{ kind: "counts", text: `${what} of ${run.runId} is ${is}, not ${expected}` }];
  const violations = names.flatMap((name) => [
    ...differ(`${name} in the batches`, run.sums[name], counts[name]),
    ...differ(`${name} in the API`, run.shown[name], counts[name]),
  ]);
  violations.push(...differ("repeated in the API", run.shown.repeated, run.sums.repeated));
  violations.push(...differ("audience in the API", run.shown.audience, run.recipients.length));
  if (run.finished) violations.push(...totalViolations(run, differ));
  const left = events.some((event) => event.kind === "left");
  const audience = readers.filter(({ siteId }) => siteId === run.siteId).length;
  if (run.kind === "live" && !left) violations.push(...differ("audience", run.recipients.length, audience));
  const reached = new Set(receipts.filter(({ accepted }) => accepted).map(({ index }) => index)).size;
  // A reader who was reached may have another outcome only if the first try was uncertain. That outcome is `unknown`,
  // or a refusal of the retry.
  const uncertain = counts.unknown + counts.gone + counts.failed;
  if (reached < counts.accepted || reached > counts.accepted + uncertain + counts.pending) {
    violations.push({
      kind: "counts",
      text: `${reached} readers of ${run.runId} were reached, ${counts.accepted} accepted`,
    });
  }
  return violations;
}

function totalViolations(
  run: RunEvidence,
  differ: (what: string, is: unknown, expected: unknown) => Violation[],
): Violation[] {
  const byCode = Map.groupBy(run.recipients, ({ code }) => code);
  const codes = new Set([...byCode.keys(), ...run.totals.keys()]);
  return [...codes].flatMap((code) =>
    differ(`the total of code ${code}`, run.totals.get(code) ?? 0, byCode.get(code)?.length ?? 0),
  );
}

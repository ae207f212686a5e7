import type { RunFigures } from "./queries.ts";

/** The figures of a run as the API shows them. */
export type Figures = Omit<RunFigures, "startedAt" | "finishedAt"> & { startedAt: string; finishedAt: string | null };

/** Counts recipients that are in no batch yet as pending, so that the counts add up to the audience from the start. */
export function viewFigures({ startedAt, finishedAt, ...run }: RunFigures): Figures {
  const { accepted, gone, failed, expired, notSent, unknown, audience } = run;
  return {
    ...run,
    pending: audience - (accepted + gone + failed + expired + notSent + unknown),
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
  };
}

import type { RunMessage } from "../run.ts";
import { probabilitiesToBeBest } from "./check-test.ts";

/**
 * How a test ended. `winner`: a variant was beyond doubt the best. `no_difference`: none was by the deadline; the one
 * with the most clicks was chosen. `too_few`: so few readers that nothing can be learnt; the campaign's own was chosen.
 * `stopped`: the run ended before the test.
 */
export type TestOutcome = "winner" | "no_difference" | "too_few" | "stopped";

/**
 * What became of one variant: its recipients, and of them the messages taken, seen (displayed or clicked) and clicked.
 */
export type VariantFigures = { recipients: number; accepted: number; shown: number; clicked: number };

export type HeadlineTest = {
  messages: Pick<RunMessage, "title" | "body" | "imageUrl">[];
  share: number;
  endsAt: Date;
  endedAt: Date | null;
  outcome: TestOutcome | null;
  chosen: number | null;
  /** Of the end of the test, or while it runs of now. */
  figures: VariantFigures[];
};

/** A test as the API shows it. `probability`: of the variant to have the highest click rate, 0 to 1. */
export type HeadlineTestView = {
  status: "running" | TestOutcome;
  /** Percent of the audience. */
  share: number;
  endsAt: string;
  endedAt: string | null;
  /** The variant that the rest gets, as an index. */
  chosen: number | null;
  variants: (HeadlineTest["messages"][number] & VariantFigures & { probability: number })[];
};

/** Shapes a test for the API. */
export function viewHeadlineTest({ messages, figures, ...test }: HeadlineTest): HeadlineTestView {
  const probabilities = probabilitiesToBeBest(figures);
  return {
    status: test.outcome ?? "running",
    share: test.share,
    endsAt: test.endsAt.toISOString(),
    endedAt: test.endedAt?.toISOString() ?? null,
    chosen: test.chosen,
    variants: messages.map(({ title, body, imageUrl }, i) => ({
      ...{ title, body, imageUrl, ...figures[i]! },
      probability: Math.round(1_000 * probabilities[i]!) / 1_000,
    })),
  };
}

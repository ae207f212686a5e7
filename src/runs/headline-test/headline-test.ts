import type { RunMessage } from "../run.ts";
import { probabilitiesToBeBest } from "./check-test.ts";

/**
 * How a test ended. `winner`: a variant was beyond doubt the best. `no_difference`: none was by the deadline; the one
 * with the most clicks was chosen. `not_measured`: no click was counted by the deadline, or no variant reached anybody;
 * `too_few`: so few readers that nothing can be learnt; in both the campaign's own was chosen. `by_hand`: a member
 * has chosen. `stopped`: the run ended before the test.
 */
export type TestOutcome = "winner" | "no_difference" | "not_measured" | "too_few" | "by_hand" | "stopped";

/**
 * Why the clock of a test is halted: no push service has accepted one of its messages yet, its site or publisher is
 * paused, or every push service of the run rests or is blocked.
 */
export type ClockWait = "first_accepted" | "pause" | "push_services";

/**
 * What became of one variant: its recipients, and of them the messages taken, seen (displayed or clicked) and clicked.
 * `measured`: of how many it is known whether they clicked: those that were seen, and where browsers do not report
 * displays those that were taken.
 */
export type VariantFigures = {
  recipients: number;
  accepted: number;
  shown: number;
  measured: number;
  clicked: number;
};

export type HeadlineTest = {
  messages: Pick<RunMessage, "title" | "body" | "imageUrl">[];
  share: number;
  /** Null: its clock runs, until `endsAt`. */
  waitsFor: ClockWait | null;
  endsAt: Date | null;
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
  /** The deadline. Null: the clock is halted, or was when the test ended. */
  endsAt: string | null;
  /** Why its clock is halted. Null: it runs, or the test has ended. */
  waitsFor: ClockWait | null;
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
    endsAt: test.endsAt?.toISOString() ?? null,
    waitsFor: test.outcome === null ? test.waitsFor : null,
    endedAt: test.endedAt?.toISOString() ?? null,
    chosen: test.chosen,
    variants: messages.map(({ title, body, imageUrl }, i) => ({
      ...{ title, body, imageUrl, ...figures[i]! },
      probability: Math.round(1_000 * probabilities[i]!) / 1_000,
    })),
  };
}

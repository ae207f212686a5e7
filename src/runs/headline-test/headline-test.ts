import type { RunMessage } from "../run.ts";
import { probabilitiesToBeBest } from "./check-test.ts";

/**
 * How a test ended.
 * - `winner`: a variant was beyond doubt the best.
 * - `no_difference`: at the deadline no variant was beyond doubt the best. The one with the highest click rate was
 *   chosen.
 * - `not_measured`: no click was counted by the deadline, or no variant reached anybody. The campaign's own message
 *   was chosen.
 * - `too_few`: the test had too few readers. The campaign's own message was chosen.
 * - `by_hand`: a member has chosen.
 * - `stopped`: the run ended before the test.
 */
export type TestOutcome = "winner" | "no_difference" | "not_measured" | "too_few" | "by_hand" | "stopped";

/**
 * Why the clock of a test is halted: no push service has accepted one of its messages yet, its site or publisher is
 * paused, or every push service of the run rests or is blocked.
 */
export type ClockWait = "first_accepted" | "pause" | "push_services";

/**
 * The figures of one variant: its recipients, and the messages that were accepted, shown (displayed or clicked) and
 * clicked. `measured`: the messages that can tell clicks from no clicks. These are the shown messages, or the
 * accepted ones if browsers do not report displays.
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
  /** Why the clock is halted. Null while it runs, until `endsAt`. */
  waitsFor: ClockWait | null;
  endsAt: Date | null;
  endedAt: Date | null;
  outcome: TestOutcome | null;
  chosen: number | null;
  /** The figures at the end of the test, or the current ones while it runs. */
  figures: VariantFigures[];
};

/**
 * A test in the form of the API. `probability`: the probability, 0 to 1, that the variant has the highest click rate.
 */
export type HeadlineTestView = {
  status: "running" | TestOutcome;
  /** Percent of the audience. */
  share: number;
  /** The deadline. Null if the clock is halted, or was halted when the test ended. */
  endsAt: string | null;
  /** Why the clock is halted. Null if it runs, or the test has ended. */
  waitsFor: ClockWait | null;
  endedAt: string | null;
  /** The index of the variant that the waiting readers get. */
  chosen: number | null;
  variants: (HeadlineTest["messages"][number] & VariantFigures & { probability: number })[];
};

/** Returns a test in the form of the API. */
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
      title,
      body,
      imageUrl,
      ...figures[i]!,
      probability: Math.round(1_000 * probabilities[i]!) / 1_000,
    })),
  };
}

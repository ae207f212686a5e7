import { encoderOf, type NudgeFacts } from "./features.ts";
import { fitModel, type Observation } from "./regression.ts";

/** A nudge that went out, and what readers did with it. `ageDays`: since then. */
export type PastNudge = NudgeFacts & {
  ageDays: number;
  accepted: number;
  displayed: number;
  clicked: number;
  /** Readers that left: by the page's unsubscribe, or found gone by the send. */
  left: number;
};

/** A share of the readers reached, and the range that holds it in four of five cases. */
export type Range = { low: number; middle: number; high: number };

export type Forecast = { displayed: Range; clicked: Range; left: Range };

/**
 * How much of the differences between click rates the model explains that the site's mean does not, on nudges that it had
 * not seen: 1 all, 0 none. `covered`: the share of them within their ranges, which are made for 0.8.
 */
export type Evaluation = { nudges: number; judged: number; gain: number; covered: number; isUsed: boolean };

/** With fewer nudges nothing is said. */
export const nudgesNeeded = 20;
/** The model has to beat the site's mean by so much, on so many nudges of the last `judgedDays`, before it is used. */
const gainNeeded = 0.1;
const judgedNeeded = 30;
const judgedDays = 90;
/** As it is evaluated, the model is fitted anew so often at most: a fit of 1,000 nudges takes some 10 ms. */
const refits = 10;
/** Four of five cases lie within so many standard deviations. */
const rangeWidth = 1.2816;

type Outcome = "displayed" | "clicked" | "left";

/** The logarithm of a share, with half a count more, and the variance that chance alone gives it. */
function observe(nudge: PastNudge, of: Outcome, x: number[]): Observation {
  const count = nudge[of] + 0.5;
  return { x, y: Math.log(count / (nudge.accepted + 1)), variance: 1 / count };
}

/** Predicts the share of `of` for nudges. `usesFeatures` false: the mean of the history, with its spread. */
function learn(
  history: PastNudge[],
  of: Outcome,
  usesFeatures: boolean,
): (facts: NudgeFacts, readers: number) => Range {
  const encode = usesFeatures ? encoderOf(history) : () => [];
  const model = fitModel(history.map((nudge) => observe(nudge, of, encode(nudge))));
  return (facts, readers) => {
    const { mean, variance } = model(encode(facts));
    // Of few readers chance alone moves the share, too.
    const deviation = Math.sqrt(variance + 1 / (Math.exp(mean) * readers + 0.5));
    const at = (width: number) => Math.min(1, Math.exp(mean + width * deviation));
    return { low: at(-rangeWidth), middle: at(0), high: at(rangeWidth) };
  };
}

/**
 * Replays the last 90 days: each nudge is predicted from those before it, by the model and by the site's mean. `history`:
 * oldest first.
 */
export function evaluate(history: PastNudge[]): Evaluation {
  const recent = history.findIndex(({ ageDays }) => ageDays <= judgedDays);
  const first = recent < 0 ? history.length : Math.max(nudgesNeeded, recent);
  const judged = history.slice(first);
  const refitEvery = Math.max(10, Math.ceil(judged.length / refits));
  let [ofModel, ofMean, covered] = [0, 0, 0];
  for (let from = 0; from < judged.length; from += refitEvery) {
    const before = history.slice(0, first + from);
    const [model, mean] = [true, false].map((usesFeatures) => learn(before, "clicked", usesFeatures));
    for (const nudge of judged.slice(from, from + refitEvery)) {
      const share = nudge.clicked / nudge.accepted;
      const predicted = model!(nudge, nudge.accepted);
      ofModel += nudge.accepted * (share - predicted.middle) ** 2;
      ofMean += nudge.accepted * (share - mean!(nudge, nudge.accepted).middle) ** 2;
      if (share >= predicted.low && share <= predicted.high) covered++;
    }
  }
  const gain = ofMean === 0 ? 0 : 1 - ofModel / ofMean;
  return {
    nudges: history.length,
    judged: judged.length,
    gain,
    covered: judged.length === 0 ? 0 : covered / judged.length,
    isUsed: judged.length >= judgedNeeded && gain >= gainNeeded,
  };
}

/**
 * Forecasts a nudge from the site's history (oldest first); undefined with fewer than `nudgesNeeded` nudges. Only clicks are
 * told from hour, title and the like, and only where that has proven right; otherwise all are the site's mean.
 */
export function forecast(
  history: PastNudge[],
  facts: NudgeFacts,
  readers: number,
  isUsed: boolean,
): Forecast | undefined {
  if (history.length < nudgesNeeded) return undefined;
  const range = (of: Outcome) => learn(history, of, of === "clicked" && isUsed)(facts, readers);
  return { displayed: range("displayed"), clicked: range("clicked"), left: range("left") };
}

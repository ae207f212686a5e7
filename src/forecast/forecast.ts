import { type Category, categoriesOf, encode, knownCategories, type NudgeFacts } from "./features.ts";
import { type Fit, fitModel, type Prior, predict } from "./regression.ts";

/** A notification that went out, and what readers did with it. `ageDays`: since then. */
export type PastNudge = NudgeFacts & {
  ageDays: number;
  accepted: number;
  /** Of `accepted`, those of browsers that report displays. */
  reporting: number;
  displayed: number;
  clicked: number;
  /** Readers that left: by the page's unsubscribe, or found gone by the send. */
  left: number;
};

export const outcomes = ["displayed", "clicked", "left"] as const;
export type Outcome = (typeof outcomes)[number];

/**
 * A share of the readers reached (of displays: of those whose browsers report them), and the range that holds it in
 * four of five cases.
 */
export type Range = { low: number; middle: number; high: number };

export type Forecast = Record<Outcome, Range>;

/**
 * How much of the differences between click rates the model explains that the site's mean does not, on notifications
 * that it had not seen: 1 all, 0 none. `covered`: the share of them within their ranges, which are made for 0.8.
 */
export type Evaluation = { nudges: number; checked: number; gain: number; covered: number; isUsed: boolean };

/** Predicts the logarithm of a share from categories. Without categories: the mean of the history. */
export type Model = { categories: Category[]; fit: Fit };

/**
 * What is learnt from a site's history: the models of its outcomes, and the mean of its clicks. `tenants`: so many
 * others it is drawn towards; 0: the history alone counts.
 */
export type Learnt = { evaluation: Evaluation; tenants: number; models: Record<Outcome, Model>; meanClicks: Model };

/**
 * What the sites of other tenants have in common, on the scale of the models: of each mean, and of effects on clicks.
 */
export type Priors = { tenants: number; means: Record<Outcome, Prior>; effects: Record<string, Prior> };

/** With fewer notifications nothing is said from the history alone. */
export const nudgesNeeded = 20;
/**
 * The model has to beat the site's mean by so much, on so many notifications of the last `checkedDays`, before it is
 * used.
 */
const gainNeeded = 0.1;
const checkedNeeded = 30;
const checkedDays = 90;
/** As it is evaluated, the model is fitted anew so often at most: a fit of 1,000 notifications takes some 20 ms. */
const refits = 10;
/** Four of five cases lie within so many standard deviations. */
const rangeWidth = 1.2816;

const unknownMean: Prior = { mean: 0, variance: 1e6 };
/** Effects are a priori about this large, on the logarithm of a share. */
const usualEffect: Prior = { mean: 0, variance: 0.3 ** 2 };
/** There are many words, and most say nothing. */
const effectOfWord: Prior = { mean: 0, variance: 0.15 ** 2 };

const noPriors: Priors = {
  tenants: 0,
  means: { displayed: unknownMean, clicked: unknownMean, left: unknownMean },
  effects: {},
};

/**
 * Learns from a site's history (oldest first), drawn towards what other sites have in common; undefined if there is too
 * little of both. Only clicks are told from hour, title and the like, and only where that has proven right; otherwise
 * all are the site's mean.
 */
export function learn(history: PastNudge[], priors: Priors = noPriors): Learnt | undefined {
  if (history.length < nudgesNeeded && priors.tenants === 0) return undefined;
  const evaluation = evaluate(history, priors);
  const mean = (of: Outcome) => modelOf(history, of, [], priors);
  const meanClicks = mean("clicked");
  const clicked = evaluation.isUsed ? modelOf(history, "clicked", knownCategories(history), priors) : meanClicks;
  const models = { displayed: mean("displayed"), clicked, left: mean("left") };
  return { evaluation, tenants: priors.tenants, models, meanClicks };
}

/** Forecasts a notification to so many readers. */
export function forecast({ models }: Pick<Learnt, "models">, facts: NudgeFacts, readers: number): Forecast {
  const { displayed, clicked, left } = models;
  return {
    displayed: rangeOf(displayed, facts, readers),
    clicked: rangeOf(clicked, facts, readers),
    left: rangeOf(left, facts, readers),
  };
}

/** The share of the readers reached who click, whatever the notification. */
export function usualClicks({ meanClicks }: Pick<Learnt, "meanClicks">): number {
  return Math.exp(meanClicks.fit.effects[0]!);
}

/**
 * The categories of a notification that move its clicks most, the largest effect first. `effect`: on the logarithm of
 * the share.
 */
export function strongestCategories({ models }: Pick<Learnt, "models">, facts: NudgeFacts) {
  const { categories, fit } = models.clicked;
  const has = new Set(categoriesOf(facts));
  return categories
    .map(({ name }, i) => ({ name, effect: fit.effects[i + 1]! }))
    .filter(({ name }) => has.has(name))
    .toSorted((a, b) => Math.abs(b.effect) - Math.abs(a.effect));
}

/**
 * Replays the last 90 days: each notification is predicted from those before it, by the model and by the site's mean.
 * `history`: oldest first.
 */
export function evaluate(history: PastNudge[], priors: Priors = noPriors): Evaluation {
  const recent = history.findIndex(({ ageDays }) => ageDays <= checkedDays);
  const first = recent < 0 ? history.length : Math.max(nudgesNeeded, recent);
  const checked = history.slice(first);
  const refitEvery = Math.max(10, Math.ceil(checked.length / refits));
  let [ofModel, ofMean, covered] = [0, 0, 0];
  for (let from = 0; from < checked.length; from += refitEvery) {
    const before = history.slice(0, first + from);
    const model = modelOf(before, "clicked", knownCategories(before), priors);
    const mean = modelOf(before, "clicked", [], priors);
    for (const nudge of checked.slice(from, from + refitEvery)) {
      const share = nudge.clicked / nudge.accepted;
      const predicted = rangeOf(model, nudge, nudge.accepted);
      ofModel += nudge.accepted * (share - predicted.middle) ** 2;
      ofMean += nudge.accepted * (share - rangeOf(mean, nudge, nudge.accepted).middle) ** 2;
      if (share >= predicted.low && share <= predicted.high) covered++;
    }
  }
  const gain = ofMean === 0 ? 0 : 1 - ofModel / ofMean;
  return {
    nudges: history.length,
    checked: checked.length,
    gain,
    covered: checked.length === 0 ? 0 : covered / checked.length,
    isUsed: checked.length >= checkedNeeded && gain >= gainNeeded,
  };
}

function modelOf(history: PastNudge[], of: Outcome, categories: Category[], { means, effects }: Priors): Model {
  const priors = categories.map(({ name }) => effects[name] ?? (name.startsWith("word ") ? effectOfWord : usualEffect));
  const observations = history
    .map((nudge) => ({
      x: encode(categories, nudge),
      count: nudge[of],
      of: of === "displayed" ? nudge.reporting : nudge.accepted,
    }))
    .filter((observation) => observation.of > 0);
  return { categories, fit: fitModel(observations, [means[of], ...priors]) };
}

function rangeOf({ categories, fit }: Model, facts: NudgeFacts, readers: number): Range {
  const { mean, median, variance } = predict(fit, encode(categories, facts));
  // Of few readers chance alone moves the share, too.
  const deviation = Math.sqrt(variance + 1 / (Math.exp(mean) * readers + 0.5));
  const at = (logarithm: number) => Math.min(1, Math.exp(logarithm));
  return {
    low: at(median - rangeWidth * deviation),
    middle: at(mean),
    high: at(median + rangeWidth * deviation),
  };
}

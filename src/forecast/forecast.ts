import { type Category, categoriesOf, encode, knownCategories, type NudgeFacts } from "./features.ts";
import { type Fit, fitModel, type Prior, predict } from "./regression.ts";

/** A notification that was sent, and what readers did with it. `ageDays`: days since it was sent. */
export type PastNudge = NudgeFacts & {
  ageDays: number;
  accepted: number;
  /** The part of `accepted` in browsers that report displays. */
  reporting: number;
  displayed: number;
  clicked: number;
  /** Readers who left: by unsubscribing on the page, or found gone by the send. */
  left: number;
};

export const outcomes = ["displayed", "clicked", "left"] as const;
export type Outcome = (typeof outcomes)[number];

/**
 * A share of the reached readers, with the range that holds the true share in four of five cases. For displays it is
 * the share of the readers whose browsers report them.
 */
export type Range = { low: number; middle: number; high: number };

export type Forecast = Record<Outcome, Range>;

/**
 * How well the model predicts notifications that it has not seen. `gain`: the part of the differences between click
 * rates that the model explains, but the site's mean does not (1: all, 0: none). `covered`: the share of notifications
 * within their range, which should be 0.8.
 */
export type Evaluation = { nudges: number; checked: number; gain: number; covered: number; isUsed: boolean };

/** Predicts the logarithm of a share from categories. Without categories it predicts the mean of the history. */
export type Model = { categories: Category[]; fit: Fit };

/**
 * The result of learning from a site's history: a model of each outcome, and the mean of its clicks. `tenants`: the
 * number of other tenants whose results it used. 0: it used the history alone.
 */
export type Learnt = { evaluation: Evaluation; tenants: number; models: Record<Outcome, Model>; meanClicks: Model };

/**
 * The common results of other tenants' sites, on the scale of the models: of each mean, and of the effects on clicks.
 */
export type Priors = { tenants: number; means: Record<Outcome, Prior>; effects: Record<string, Prior> };

/** The fewest notifications from which a history alone is learnt. */
export const nudgesNeeded = 20;
/**
 * The model is used only if it beats the site's mean by this gain, on at least `checkedNeeded` notifications of the
 * last `checkedDays` days.
 */
const gainNeeded = 0.1;
const checkedNeeded = 30;
const checkedDays = 90;
/** The most fits of the model in an evaluation. A fit to 1,000 notifications takes about 20 ms. */
const refits = 10;
/** Four of five cases lie within this many standard deviations. */
const rangeWidth = 1.2816;

const unknownMean: Prior = { mean: 0, variance: 1e6 };
/** The prior of an effect on the logarithm of a share: most effects are about this large. */
const usualEffect: Prior = { mean: 0, variance: 0.3 ** 2 };
/** The prior of the effect of a word. There are many words, and most have no effect. */
const effectOfWord: Prior = { mean: 0, variance: 0.15 ** 2 };

const noPriors: Priors = {
  tenants: 0,
  means: { displayed: unknownMean, clicked: unknownMean, left: unknownMean },
  effects: {},
};

/**
 * Learns from a site's history (oldest first) and from the common results of other sites (`priors`). Returns undefined
 * if there is too little of both. Only clicks are predicted from hour, title and the like, and only if `evaluate` has
 * shown that it helps. Every other prediction is the site's mean.
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

/** Forecasts the outcomes of a notification to this many readers. */
export function forecast({ models }: Pick<Learnt, "models">, facts: NudgeFacts, readers: number): Forecast {
  const { displayed, clicked, left } = models;
  return {
    displayed: rangeOf(displayed, facts, readers),
    clicked: rangeOf(clicked, facts, readers),
    left: rangeOf(left, facts, readers),
  };
}

/** Returns the share of the reached readers who click on an average notification. */
export function usualClicks({ meanClicks }: Pick<Learnt, "meanClicks">): number {
  return Math.exp(meanClicks.fit.effects[0]!);
}

/**
 * Returns the categories of a notification, those with the largest effect on its clicks first. `effect`: on the
 * logarithm of the share.
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
 * Replays the last 90 days: predicts each notification from earlier ones, by the model and by the site's mean.
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
  // With few readers, chance moves the share too.
  const deviation = Math.sqrt(variance + 1 / (Math.exp(mean) * readers + 0.5));
  const at = (logarithm: number) => Math.min(1, Math.exp(logarithm));
  return {
    low: at(median - rangeWidth * deviation),
    middle: at(mean),
    high: at(median + rangeWidth * deviation),
  };
}

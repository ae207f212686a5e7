import { describe, expect, test } from "vitest";
import { makeHistory, noEffects, usualEffects } from "../../bench/forecast-history.ts";
import { forecast, type Learnt, learn } from "../../src/forecast/forecast.ts";
import { drawPriors } from "../../src/forecast/priors.ts";
import { randomFrom } from "../faults/random.ts";

const story = {
  title: "Ferry is back",
  url: "https://news.example/sport/ferry",
  hasImage: true,
  topicIds: [],
  hour: 18,
  weekday: 3,
  hoursSinceLast: 5,
};

/** Returns what a site of each of `tenants` tenants has learnt. 4 % of their readers click. */
const learntAt = (tenants: number, effects = usualEffects) =>
  Array.from({ length: tenants }, (_, i) => ({
    tenantId: `tenant ${i}`,
    learnt: learn(makeHistory(300, effects, randomFrom(i + 1).unit, 0.04))!,
  }));

/** Returns half the width of a range, as a factor. */
const widthOf = ({ low, high }: { low: number; high: number }) => Math.sqrt(high / low);

describe("what other tenants' sites have in common", () => {
  test("is drawn from five tenants on, each of which counts once", () => {
    const five = learntAt(5);
    expect(drawPriors(five.slice(1))).toBeUndefined();
    const sitesOfFour = [...five.slice(1), { ...five[0]!, tenantId: five[1]!.tenantId }];
    expect(drawPriors(sitesOfFour)).toBeUndefined();
    expect(drawPriors(five)).toMatchObject({ tenants: 5 });
    const many = [...five, ...Array.from({ length: 50 }, () => five[0]!)];
    expect(drawPriors(many)!.means.clicked.mean).toBeCloseTo(drawPriors(five)!.means.clicked.mean, 9);
  });

  test("is drawn from sites with a history of their own only", () => {
    const priors = drawPriors(learntAt(5))!;
    const young = { tenantId: "young", learnt: learn([], priors)! };
    expect(drawPriors([...learntAt(4), young])).toBeUndefined();
  });

  test("has no section, topic or word of theirs", () => {
    const names = Object.keys(drawPriors(learntAt(6))!.effects);
    expect(names).toContain("hour evening");
    expect(names.filter((name) => /^(section|topic|word)/.test(name))).toEqual([]);
  });

  test("predicts the clicks of a site without notifications, with a wide range", () => {
    const priors = drawPriors(learntAt(6))!;
    const learnt = learn([], priors)!;
    expect(learnt).toMatchObject({ tenants: 6, evaluation: { nudges: 0, isUsed: false } });
    const { clicked } = forecast(learnt, story, 10_000);
    expect(clicked.middle).toBeGreaterThan(0.02);
    expect(clicked.middle).toBeLessThan(0.08);
    const own = learn(makeHistory(300, noEffects, randomFrom(9).unit, 0.04))!;
    expect(widthOf(clicked)).toBeGreaterThan(1.15 * widthOf(forecast(own, story, 10_000).clicked));
  });

  test("gives way to the site's own notifications the more there are", () => {
    const priors = drawPriors(learntAt(6))!;
    const clicked = (learnt: Learnt) => forecast(learnt, story, 10_000).clicked.middle;
    const history = makeHistory(300, noEffects, randomFrom(7).unit, 0.005);
    const alone = clicked(learn(history)!);
    const [none, few, many] = [0, 5, 300].map((nudges) => clicked(learn(history.slice(0, nudges), priors)!));
    expect(few).toBeLessThan(none! / 2);
    expect(Math.abs(many! / alone - 1)).toBeLessThan(0.02);
  });
});

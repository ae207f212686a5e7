import { describe, expect, test, vi } from "vitest";
import { makeHistory, noEffects, usualEffects } from "../../bench/forecast-history.ts";
import { evaluate, forecast, learn, type PastNudge } from "../../src/forecast/forecast.ts";
import { fitModel, predict } from "../../src/forecast/regression.ts";
import { runHere } from "../cli/run-here.ts";
import { randomFrom } from "../faults/random.ts";
import { openTestApp, settingsOf } from "../fixtures/app.ts";
import { createPublisher } from "../fixtures/publisher.ts";

// An idle machine works on a hundred sites for a few seconds.
vi.setConfig({ testTimeout: 180_000 });

test("a model finds the effects of what it sees, and shrinks what it has seen little of", () => {
  const random = randomFrom(3);
  const observations = Array.from({ length: 400 }, (_, i) => {
    const x = [i % 2 === 0 ? 0.5 : -0.5, i < 10 ? 1 : 0];
    return { x, of: 5_000, count: Math.round(5_000 * Math.exp(-4 + 0.6 * x[0]! + 0.2 * (random.unit() - 0.5))) };
  });
  const wide = { mean: 0, variance: 1e6 };
  const effect = { mean: 0, variance: 0.09 };
  const fit = fitModel(observations, [wide, effect, effect]);
  const model = (x: number[]) => predict(fit, x);
  expect(model([0.5, 0]).mean - model([-0.5, 0]).mean).toBeCloseTo(0.6, 1);
  expect(model([0, 0]).mean).toBeCloseTo(-4, 1);
  expect(Math.abs(model([0, 1]).mean - model([0, 0]).mean)).toBeLessThan(0.1);
  expect(model([0, 1]).variance).toBeGreaterThan(model([0, 0]).variance);
});

test("rare events are estimated well: over 40 sites with 1 in 10,000, the mean is 3 % off", () => {
  const estimates = Array.from({ length: 40 }, (_, seed) => {
    const random = randomFrom(seed + 1);
    const history = makeHistory(400, noEffects, random.unit, 0.0002).map((nudge) => ({
      ...nudge,
      clicked: rareCount(nudge.accepted * 0.0002, random.unit),
      left: rareCount(nudge.accepted * 0.0001, random.unit),
    }));
    const { clicked, left } = forecast(learn(history)!, story, 10_000);
    return { clicked: clicked.middle / 0.0002, left: left.middle / 0.0001 };
  });
  const mean = (of: "clicked" | "left") => estimates.reduce((sum, estimate) => sum + estimate[of], 0) / 40;
  expect(Math.abs(mean("left") - 1)).toBeLessThan(0.03);
  expect(Math.abs(mean("clicked") - 1)).toBeLessThan(0.03);
});

/** Returns a random count with the mean `expected` (Poisson). */
function rareCount(expected: number, random: () => number): number {
  let count = -1;
  for (let left = 1; left > Math.exp(-expected); left *= random()) count++;
  return count;
}

describe("on made-up histories of a year", () => {
  test("hour, picture and title are used where they matter, and the ranges hold four of five", () => {
    for (let seed = 1; seed <= 5; seed++) {
      const { gain, covered, isUsed, checked } = evaluate(makeHistory(400, usualEffects, randomFrom(seed).unit));
      expect(checked).toBeGreaterThan(200);
      expect(gain).toBeGreaterThan(0.2);
      expect(isUsed).toBe(true);
      expect(covered).toBeGreaterThan(0.7);
      expect(covered).toBeLessThan(0.9);
    }
  });

  test("nothing is learnt from chance: of a hundred sites without effects none uses them", () => {
    const used = Array.from({ length: 100 }, (_, seed) => {
      const { isUsed, gain } = evaluate(makeHistory(120 + seed, noEffects, randomFrom(seed + 100).unit));
      expect(gain).toBeLessThan(0.1);
      return isUsed;
    });
    expect(used.filter(Boolean)).toEqual([]);
  });
});

const story = {
  title: "Ferry is back",
  url: "https://news.example/sport/ferry",
  hasImage: true,
  topicIds: [],
  hour: 18,
  weekday: 3,
  hoursSinceLast: 5,
};

describe("a forecast", () => {
  test("waits for twenty notifications", () => {
    const history = makeHistory(20, usualEffects, randomFrom(1).unit);
    expect(learn(history.slice(1))).toBeUndefined();
    expect(learn(history)).toBeDefined();
    expect(evaluate(history)).toMatchObject({ nudges: 20, checked: 0, isUsed: false });
    const old = makeHistory(200, usualEffects, randomFrom(1).unit).map((nudge) => ({
      ...nudge,
      ageDays: nudge.ageDays + 90,
    }));
    expect(evaluate(old)).toMatchObject({ nudges: 200, checked: 0, isUsed: false });
    expect(evaluate([])).toMatchObject({ nudges: 0, checked: 0, isUsed: false });
  });

  test("is higher for an evening with a picture than a plain morning, or is the mean", () => {
    const other = { ...story, hasImage: false, hour: 7 };
    const ratioAfter = (history: PastNudge[]) => {
      const learnt = learn(history)!;
      return forecast(learnt, story, 10_000).clicked.middle / forecast(learnt, other, 10_000).clicked.middle;
    };
    expect(ratioAfter(makeHistory(400, usualEffects, randomFrom(2).unit))).toBeGreaterThan(1.8);
    expect(ratioAfter(makeHistory(400, noEffects, randomFrom(2).unit))).toBe(1);
  });

  test("has wider ranges for fewer readers, and is the same for the same history", () => {
    const history = makeHistory(100, usualEffects, randomFrom(4).unit);
    const widthFor = (readers: number) => {
      const { low, high } = forecast(learn(history)!, story, readers).clicked;
      return high / low;
    };
    expect(widthFor(100)).toBeGreaterThan(1.2 * widthFor(100_000));
    expect(forecast(learn(history)!, story, 500)).toEqual(forecast(learn(history)!, story, 500));
  });

  test("is the same after what was learnt was stored as JSON", () => {
    const learnt = learn(makeHistory(200, usualEffects, randomFrom(5).unit))!;
    expect(forecast(JSON.parse(JSON.stringify(learnt)), story, 500)).toEqual(forecast(learnt, story, 500));
  });
});

test("the command prints how well clicks were predicted, and refuses an unknown site", async () => {
  const app = await openTestApp();
  const { siteId } = await createPublisher(app);
  const evaluateSite = (...words: string[]) => runHere(["forecast", "evaluate", ...words], settingsOf(app));
  const { code, out } = await evaluateSite("--site", siteId);
  expect(code).toBe(0);
  expect(out).toContain("no: the site's mean is");
  expect(JSON.parse((await evaluateSite("--site", siteId, "--json")).out)).toEqual({
    nudges: 0,
    checked: 0,
    gain: 0,
    covered: 0,
    isUsed: false,
  });
  expect(await evaluateSite("--site", "01990000-0000-7000-8000-000000000000")).toMatchObject({ code: 1, out: "" });
});

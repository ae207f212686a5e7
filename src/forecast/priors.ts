import { isCommon } from "./features.ts";
import { type Learnt, nudgesNeeded, type Outcome, outcomes, type Priors } from "./forecast.ts";
import type { Prior } from "./regression.ts";

/** With fewer, a tenant could tell what another's readers do from how its own forecast moves. */
export const tenantsNeeded = 5;

/** However alike others are, a site may differ by so much. */
const leastOfMeans = 0.3 ** 2;
const leastOfEffects = 0.1 ** 2;

/** What was learnt at a site of another tenant. */
export type LearntElsewhere = { tenantId: string; learnt: Learnt };

/**
 * Draws from what was learnt at other tenants' sites what they have in common; undefined with fewer than five tenants. Each
 * tenant counts once, however many sites it has. Sections, topics and words are left out: they are a site's own.
 */
export function drawPriors(elsewhere: LearntElsewhere[]): Priors | undefined {
  const grown = elsewhere.filter(({ learnt }) => learnt.evaluation.nudges >= nudgesNeeded);
  const byTenant = [...Map.groupBy(grown, ({ tenantId }) => tenantId).values()].map((sites) =>
    sites.map(({ learnt }) => learnt),
  );
  if (byTenant.length < tenantsNeeded) return undefined;
  const meanOf = (of: Outcome) =>
    priorOf(
      averages(byTenant, (site) => interceptOf(site, of)),
      leastOfMeans,
    );
  const [displayed, clicked, left] = outcomes.map(meanOf);
  const names = new Set(grown.flatMap(({ learnt }) => learnt.models.clicked.categories.map(({ name }) => name)));
  const effects = [...names].filter(isCommon).flatMap((name) => {
    const found = averages(byTenant, (site) => effectOf(site, name));
    return found.length < tenantsNeeded ? [] : [[name, priorOf(found, leastOfEffects)] as const];
  });
  return {
    tenants: byTenant.length,
    means: { displayed: displayed!, clicked: clicked!, left: left! },
    effects: Object.fromEntries(effects),
  };
}

function interceptOf({ models, meanClicks }: Learnt, of: Outcome): number {
  return (of === "clicked" ? meanClicks : models[of]).fit.effects[0]!;
}

/** Undefined where a site does not know the category. */
function effectOf({ models }: Learnt, name: string): number | undefined {
  const at = models.clicked.categories.findIndex((category) => category.name === name);
  return at < 0 ? undefined : models.clicked.fit.effects[at + 1]!;
}

/** The average of each tenant whose sites know the value. */
function averages(byTenant: Learnt[][], numberOf: (site: Learnt) => number | undefined): number[] {
  return byTenant.flatMap((sites) => {
    const values = sites.map(numberOf).filter((value) => value !== undefined);
    return values.length === 0 ? [] : [average(values)];
  });
}

function priorOf(values: number[], least: number): Prior {
  const mean = average(values);
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return { mean, variance: Math.max(least, variance) };
}

function average(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

import { isCommon } from "./features.ts";
import { type Learnt, nudgesNeeded, type Outcome, outcomes, type Priors } from "./forecast.ts";
import type { Prior } from "./regression.ts";

/** The fewest tenants. With fewer, a tenant could tell from its own forecasts what another tenant's readers do. */
export const tenantsNeeded = 5;

/** The least variances of the priors: a site may differ from the others by this much, however alike they are. */
const leastOfMeans = 0.3 ** 2;
const leastOfEffects = 0.1 ** 2;

/** The result of learning at a site of another tenant. */
export type LearntElsewhere = { tenantId: string; learnt: Learnt };

/**
 * Returns the common results of other tenants' sites. Returns undefined for fewer than five tenants. Each tenant
 * counts once, however many sites it has. Sections, topics and words are left out, because they are specific to a
 * site.
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

/** Returns the effect of a category at a site. Returns undefined if the site does not know the category. */
function effectOf({ models }: Learnt, name: string): number | undefined {
  const at = models.clicked.categories.findIndex((category) => category.name === name);
  return at < 0 ? undefined : models.clicked.fit.effects[at + 1]!;
}

/** Returns the average over the sites of each tenant. Leaves out tenants for which the value is not known. */
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

import { evaluateSite } from "../forecast/learn-sites.ts";
import { learntOfSite } from "../forecast/queries.ts";
import { siteById } from "../tenants/sites/queries.ts";
import { type Command, print } from "./command.ts";
import { operatorOfSite } from "./operator.ts";

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

export const forecastEvaluate: Command = {
  words: ["forecast", "evaluate"],
  summary: "Say how well clicks could be predicted",
  usage:
    "forecast evaluate --site ID [--json]\n" +
    "      how well the clicks of the site's notifications of the last 90 days could be predicted from those before",
  options: { site: { type: "string" }, json: { type: "boolean" } },
  async run(app, values) {
    const { actor, siteId } = await operatorOfSite(app, values.site);
    const { timeZone } = (await siteById(app.db, siteId))!;
    const evaluation = await evaluateSite(app.db, { siteId, tenantId: actor.tenantId, timeZone });
    const { nudges, checked, gain, covered, isUsed } = evaluation;
    const facts = {
      nudges,
      checked,
      "explained beyond the mean": percent(gain),
      "within the 80 % ranges": percent(covered),
      used: isUsed ? "yes" : "no: the site's mean is",
    };
    print(values, values.json === true ? evaluation : facts);
  },
};

export const forecastExport: Command = {
  words: ["forecast", "export"],
  summary: "Print what was learnt from a site's notifications",
  usage:
    "forecast export --site ID\n" +
    "      what was learnt from the site's notifications, as JSON: categories, effects, what is usual; null: nothing yet",
  options: { site: { type: "string" } },
  async run(app, values) {
    const { siteId } = await operatorOfSite(app, values.site);
    process.stdout.write(`${JSON.stringify((await learntOfSite(app.db, siteId)) ?? null, null, 2)}\n`);
  },
};

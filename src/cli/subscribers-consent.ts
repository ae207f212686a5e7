import { exportConsents, readConsents } from "../subscribers/consent/read-consents.ts";
import { type Command, printLine, withOptionNames } from "./command.ts";
import { operatorOfSite } from "./operator.ts";
import { writeLines } from "./subscribers-export.ts";

export const subscribersConsent: Command = {
  words: ["subscribers", "consent"],
  summary: "Print what is known of a reader's consent",
  usage:
    "subscribers consent --site ID [--endpoint URL] [--json]\n" +
    "      one line for each consent of the subscription with this address, also after its end: how, when, to which prompt;\n" +
    "      without --endpoint all that is known at the site, as NDJSON, under hashes of the addresses",
  options: { site: { type: "string" }, endpoint: { type: "string" }, json: { type: "boolean" } },
  required: ["site"],
  async run(app, values) {
    const { actor, siteId } = await operatorOfSite(app, values.site);
    if (values.endpoint === undefined) return writeLines(await exportConsents(app, actor, { siteId }), process.stdout);
    const input = { siteId, endpoint: String(values.endpoint) };
    const { consents } = await withOptionNames({ endpoint: "endpoint" }, () => readConsents(app, actor, input));
    const written = (value: unknown) => (values.json === true ? value : JSON.stringify(value));
    for (const { texts, rule, ...consent } of consents) {
      printLine(values, { ...consent, rule: written(rule), texts: written(texts) });
    }
    if (consents.length > 0) return;
    process.stderr.write("Nothing is known of a consent at this address.\n");
    process.exitCode = 1;
  },
};

import type { App } from "../app.ts";
import { countAudience } from "../dashboard-api/audience.ts";
import { addSegment, changeSegment, listSegments } from "../subscribers/segments/segments.ts";
import { type Command, print, printText, UsageError, type Values, withOptionNames } from "./command.ts";
import { type Operator, operatorOfSite } from "./operator.ts";

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

export const segmentsAdd: Command = {
  words: ["segments", "add"],
  summary: "Add a segment to a site",
  usage:
    "segments add --site ID --name N --rule JSON [--json]\n" +
    "      readers by what is known of them, such as '{\"seenWithinDays\":30}' (docs/api.md#segments)",
  options: { site: text, name: text, rule: text, json: flag },
  required: ["site", "name", "rule"],
  async run(app, values) {
    const { actor, siteId } = await operatorOfSite(app, values.site);
    const body = { name: values.name, rule: ruleOf(values.rule) };
    const add = () => addSegment(app, actor, { siteId, body });
    print(values, await withOptionNames({ name: "name", rule: "rule" }, add));
  },
};

function ruleOf(typed: Values[string]): unknown {
  try {
    return JSON.parse(String(typed));
  } catch {
    throw new UsageError("--rule is JSON, such as '{\"seenWithinDays\":30}'");
  }
}

export const segmentsList: Command = {
  words: ["segments", "list"],
  summary: "List the segments of a site, with their readers",
  usage: "segments list --site ID [--json]\n      with the readers who can be reached now",
  options: { site: text, json: flag },
  required: ["site"],
  async run(app, values) {
    const { actor, siteId } = await operatorOfSite(app, values.site);
    const { data } = await listSegments(app, actor, { siteId });
    const used = data.filter(({ isRetired }) => !isRetired);
    if (used.length === 0) process.stderr.write("This site has no segments.\n");
    for (const { segmentId, name, rule } of used) {
      const size = await sizeOf(app, actor, siteId, segmentId);
      if (values.json === true) print(values, { segmentId, name, rule, ...size });
      else printText(`${segmentId} ${size.exact ? "" : "over "}${size.readers} ${name}: ${JSON.stringify(rule)}`);
    }
  },
};

async function sizeOf(app: App, actor: Operator, siteId: string, segmentId: string) {
  const { audience: readers, exact } = await countAudience(app, actor, { siteId, query: { segment: segmentId } });
  return { readers, exact };
}

export const segmentsRetire: Command = {
  words: ["segments", "retire"],
  summary: "Retire a segment: campaigns that have it keep it",
  usage: "segments retire ID --site ID [--json]\n      campaigns that have it keep it",
  options: { site: text, json: flag },
  required: ["site"],
  operands: ["ID"],
  async run(app, values, [segmentId = ""]) {
    const { actor, siteId } = await operatorOfSite(app, values.site);
    await changeSegment(app, actor, { siteId, segmentId, body: { retired: true } });
    print(values, { segmentId, retired: true });
  },
};

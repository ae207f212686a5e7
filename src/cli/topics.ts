import { addTopic } from "../tenants/topics/topics.ts";
import { type Command, print, withOptionNames } from "./command.ts";
import { operatorOfSite } from "./operator.ts";

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

export const topicsAdd: Command = {
  words: ["topics", "add"],
  summary: "Add a topic to a site",
  usage: "topics add --site ID --name N [--json]",
  options: { site: text, name: text, json: flag },
  required: ["site", "name"],
  async run(app, values) {
    const { actor, siteId } = await operatorOfSite(app, values.site);
    const input = { siteId, name: String(values.name) };
    print(values, await withOptionNames({ name: "name" }, () => addTopic(app, actor, input)));
  },
};

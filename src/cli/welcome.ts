import { readFile } from "node:fs/promises";
import { changeWelcome, readWelcome } from "../automations/welcome/change-welcome.ts";
import { appError, invalidFields } from "../errors.ts";
import { type Command, print } from "./command.ts";
import { operatorOfSite } from "./operator.ts";

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

export const welcomeShow: Command = {
  words: ["welcome", "show"],
  summary: "Show the notifications that new readers get",
  usage:
    "welcome show --site ID [--json]\n      the notifications that new readers get; with --json as welcome set reads them",
  options: { site: text, json: flag },
  required: ["site"],
  async run(app, values) {
    const { actor, siteId } = await operatorOfSite(app, values.site);
    print(values, await readWelcome(app, actor, { siteId }));
  },
};

export const welcomeSet: Command = {
  words: ["welcome", "set"],
  summary: "Set the notifications that new readers get",
  usage:
    "welcome set --site ID [--json] FILE\n" +
    '      from JSON: { "enabled": true, "steps": [{ "afterDays": 0, "title", "body", "url" }] }, at most four steps;\n' +
    '      optional in a step: "imageUrl", "topicId", "onlyUnclicked"',
  options: { site: text, json: flag },
  required: ["site"],
  operands: ["FILE"],
  async run(app, values, [file]) {
    const { actor, siteId } = await operatorOfSite(app, values.site);
    print(values, await changeWelcome(app, actor, { siteId, body: await readJson(file!) }));
  },
};

export const welcomeOff: Command = {
  words: ["welcome", "off"],
  summary: "Switch them off",
  usage: "welcome off --site ID [--json]\n      keeps the texts; welcomes under way end",
  options: { site: text, json: flag },
  required: ["site"],
  async run(app, values) {
    const { actor, siteId } = await operatorOfSite(app, values.site);
    print(values, await changeWelcome(app, actor, { siteId, body: { enabled: false } }));
  },
};

async function readJson(file: string): Promise<unknown> {
  const content = await readFile(file, "utf8").catch(() => {
    throw appError("not_found", { message: `The file ${file} cannot be read. Check its path.` });
  });
  try {
    return JSON.parse(content);
  } catch {
    throw invalidFields([{ path: "/FILE", message: "is no JSON" }]);
  }
}

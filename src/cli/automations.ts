import { readFile } from "node:fs/promises";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { changeWelcome, readWelcome } from "../automations/welcome/change-welcome.ts";
import { changeWinBack, readWinBack } from "../automations/win-back/change-win-back.ts";
import { appError, invalidFields } from "../errors.ts";
import { fault, faults } from "../faults.ts";
import { type Command, print } from "./command.ts";
import { operatorOfSite } from "./operator.ts";

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

type Automation = {
  /** The first word of its commands. */
  word: string;
  /** What it sends, and to whom. */
  what: string;
  /** The file that `set` reads. */
  file: string;
  /** What `off` does, besides switching it off. */
  off: string;
  read(app: App, actor: Actor, of: { siteId: string }): Promise<Record<string, unknown>>;
  change(app: App, actor: Actor, input: { siteId: string; body: unknown }): Promise<Record<string, unknown>>;
};

export const welcomeCommands = commandsOf({
  word: "welcome",
  what: "the notifications that new readers get",
  read: readWelcome,
  change: changeWelcome,
  file:
    '{ "enabled": true, "steps": [{ "afterDays": 0, "title", "body", "url" }] }, at most four steps;\n' +
    '      optional in a step: "imageUrl", "topicId", "onlyUnclicked"',
  off: "keeps the texts; welcomes under way end",
});

export const winBackCommands = commandsOf({
  word: "win-back",
  what: "the notification that readers get who stay away",
  read: readWinBack,
  change: changeWinBack,
  file: '{ "enabled": true, "afterDays": 60, "title", "body", "url", "imageUrl", "afterwards": "keep" or "remove" }',
  off: "keeps the text; readers who got it stay",
});

function commandsOf({ word, what, file, off, read, change }: Automation): Command[] {
  const ofSite = { options: { site: text, json: flag }, required: ["site"] };
  return [
    {
      ...ofSite,
      words: [word, "show"],
      summary: `Show ${what}`,
      usage: `${word} show --site ID [--json]\n      ${what}; with --json as ${word} set reads it`,
      async run(app, values) {
        const { actor, siteId } = await operatorOfSite(app, values.site);
        print(values, await read(app, actor, { siteId }));
      },
    },
    {
      ...ofSite,
      words: [word, "set"],
      summary: `Set ${what}`,
      usage: `${word} set --site ID [--json] FILE\n      from JSON: ${file}`,
      operands: ["FILE"],
      async run(app, values, [path]) {
        const { actor, siteId } = await operatorOfSite(app, values.site);
        print(values, await change(app, actor, { siteId, body: await readJson(path!) }));
      },
    },
    {
      ...ofSite,
      words: [word, "off"],
      summary: `Switch off ${what}`,
      usage: `${word} off --site ID [--json]\n      ${off}`,
      async run(app, values) {
        const { actor, siteId } = await operatorOfSite(app, values.site);
        print(values, await change(app, actor, { siteId, body: { enabled: false } }));
      },
    },
  ];
}

async function readJson(file: string): Promise<unknown> {
  const content = await readFile(file, "utf8").catch(() => {
    throw appError("not_found", { message: `The file ${file} cannot be read. Check its path.` });
  });
  try {
    return JSON.parse(content);
  } catch {
    throw invalidFields([fault("/FILE", faults.not_json_file())]);
  }
}

import { readFile, writeFile } from "node:fs/promises";
import type { App } from "../app.ts";
import { appError, invalidFields } from "../errors.ts";
import { importVapidPair } from "../subscribers/import-vapid-pair.ts";
import { exportVapidPair } from "../tenants/vapid/export-vapid-pair.ts";
import { type Command, forOption, print, type Values } from "./command.ts";
import { operatorOfSite, operatorOfTenant } from "./operator.ts";

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

export const siteVapidExport: Command = {
  words: ["site", "vapid", "export"],
  usage:
    "site vapid export --site ID [--tenant ID] [--out FILE]\n" +
    "      the key pair that readers have subscribed to, for another service; whoever has it can send in the site's name",
  options: { site: text, tenant: text, out: text },
  required: ["site"],
  async run(app, values) {
    const { actor, siteId } = await operatorOfNamedSite(app, values);
    const pair = `${JSON.stringify(await exportVapidPair(app, actor, { siteId }))}\n`;
    if (values.out === undefined) process.stdout.write(pair);
    else await writeSecret(String(values.out), pair);
  },
};

export const siteVapidImport: Command = {
  words: ["site", "vapid", "import"],
  usage:
    "site vapid import --site ID [--tenant ID] --vapid-file FILE [--json]\n" +
    "      for a site that nobody has subscribed to yet: the pair of another service, as JSON or PEM",
  options: { site: text, tenant: text, "vapid-file": text, json: flag },
  required: ["site", "vapid-file"],
  async run(app, values) {
    const { actor, siteId } = await operatorOfNamedSite(app, values);
    const body = { vapidPair: await readVapidText(String(values["vapid-file"])) };
    print(values, await forOption({ vapidPair: "vapid-file" }, () => importVapidPair(app, actor, { siteId, body })));
  },
};

/** The site that was typed, which has to be the tenant's where one was typed too. Throws `not_found`. */
async function operatorOfNamedSite(app: App, values: Values) {
  const found = await operatorOfSite(app, values.site);
  if (values.tenant === undefined) return found;
  const { actor } = await operatorOfTenant(app, values.tenant);
  if (actor.tenantId === found.actor.tenantId) return found;
  throw appError("not_found", { message: `Tenant ${values.tenant} has no site ${values.site}.` });
}

/** The text of a file with a key pair, which nobody has looked at yet. Throws `not_found`. */
export async function readVapidText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch {
    throw appError("not_found", { message: `The file ${file} cannot be read. Check its path.` });
  }
}

/** A new file for this user alone: one that is there already keeps its mode, and somebody else may have it open. */
async function writeSecret(file: string, secret: string): Promise<void> {
  try {
    await writeFile(file, secret, { mode: 0o600, flag: "wx" });
  } catch {
    throw invalidFields([{ path: "/--out", message: "must be a file that is not there yet, in a folder of yours" }]);
  }
}

import { readFile } from "node:fs/promises";
import type { App } from "../app.ts";
import { appError } from "../errors.ts";
import { importVapidPair } from "../subscribers/import-vapid-pair.ts";
import { exportVapidPair } from "../tenants/vapid/export-vapid-pair.ts";
import { type Command, print, type Values, withOptionNames } from "./command.ts";
import { operatorOfSite, operatorOfTenant } from "./operator.ts";
import { createSecretFile } from "./secret-file.ts";

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

export const siteVapidExport: Command = {
  words: ["site", "vapid", "export"],
  summary: "Write the key pair that readers subscribed to",
  usage:
    "site vapid export --site ID [--tenant ID] [--out FILE]\n" +
    "      the key pair that readers subscribed to, for another service; anyone who has it can send in the site's name",
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
  summary: "Give a new site the key pair of another service",
  usage:
    "site vapid import --site ID [--tenant ID] --vapid-file FILE [--json]\n" +
    "      gives a site without subscribers the key pair of another service, from a file: JSON, JWK or PEM",
  options: { site: text, tenant: text, "vapid-file": text, json: flag },
  required: ["site", "vapid-file"],
  async run(app, values) {
    const { actor, siteId } = await operatorOfNamedSite(app, values);
    const body = { vapidPair: await readVapidText(String(values["vapid-file"])) };
    print(
      values,
      await withOptionNames({ vapidPair: "vapid-file" }, () => importVapidPair(app, actor, { siteId, body })),
    );
  },
};

/**
 * Returns the operator and the id of --site. If --tenant is given, the site must be that tenant's. Throws
 * `not_found`.
 */
async function operatorOfNamedSite(app: App, values: Values) {
  const found = await operatorOfSite(app, values.site);
  if (values.tenant === undefined) return found;
  const { actor } = await operatorOfTenant(app, values.tenant);
  if (actor.tenantId === found.actor.tenantId) return found;
  throw appError("not_found", { message: `Tenant ${values.tenant} has no site ${values.site}.` });
}

/** Reads the text of a file with a key pair, without checking it. Throws `not_found` if it cannot be read. */
export async function readVapidText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch {
    throw appError("not_found", { message: `The file ${file} cannot be read. Check its path.` });
  }
}

async function writeSecret(file: string, secret: string): Promise<void> {
  await using output = await createSecretFile(file, "--out");
  await output.writeFile(secret);
}

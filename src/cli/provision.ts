import { randomBytes } from "node:crypto";
import { text } from "node:stream/consumers";
import { createOwner } from "../access/accounts/create-user.ts";
import { createPasswordLinkFor } from "../access/accounts/password-links.ts";
import { createApiKey } from "../access/api-keys/api-keys.ts";
import { actorName } from "../actor.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import { recordAcceptance } from "../tenants/queries.ts";
import { createSite } from "../tenants/sites/sites.ts";
import { agreementVersion } from "../tenants/tenant.ts";
import { createTenant } from "../tenants/tenants.ts";
import { type Command, print, UsageError, type Values, withOptionNames } from "./command.ts";
import { printableLink } from "./password.ts";

export const provision: Command = {
  words: ["provision"],
  summary: "Create a tenant with its owner, site and API key",
  usage:
    "provision --tenant N --owner EMAIL [--password-stdin] --site NAME --site-url URL [--accept-dpa] [--plan P]\n" +
    "      [--existing-account] [--json]\n" +
    "      creates a tenant with its owner, a site with its VAPID key pair, and an API key, which is shown once;\n" +
    "      without a password on standard input it prints a link with which the owner sets one;\n" +
    "      --existing-account makes the account that the address has already the owner",
  options: {
    tenant: { type: "string" },
    owner: { type: "string" },
    // For scripts that cannot write to standard input. Other users of the machine see this password in the list of
    // processes.
    password: { type: "string" },
    "password-stdin": { type: "boolean" },
    "existing-account": { type: "boolean" },
    site: { type: "string" },
    "site-url": { type: "string" },
    "accept-dpa": { type: "boolean" },
    plan: { type: "string" },
    json: { type: "boolean" },
  },
  schema: "create",
  required: ["tenant", "owner", "site", "site-url"],
  async run(app, values) {
    const words = values as Record<string, string>;
    const given = await readPassword(values);
    // If no password is given, a random one keeps everybody out until the link has set another.
    const password = given ?? randomBytes(32).toString("base64url");
    const created = await app.db.transaction().execute(async (tx) => {
      const dpaAccepted = values["accept-dpa"] === true;
      const { tenantId } = await withOptionNames({ name: "tenant", plan: "plan" }, () =>
        createTenant(app, tx, { name: words.tenant!, plan: words.plan, dpaAccepted }),
      );
      const actor = { kind: "operator", tenantId } as const;
      const owner = await withOptionNames({ email: "owner", password: "password" }, () =>
        createOwner(tx, { tenantId, email: words.owner!, password, mayExist: values["existing-account"] === true }),
      );
      const site = await withOptionNames({ name: "site", url: "site-url" }, () =>
        createSite(app, actor, tx, { name: words.site!, url: words["site-url"]! }),
      );
      const key = await createApiKey(tx, { tenantId, name: "provisioned", createdBy: owner.userId });
      if (dpaAccepted) {
        await recordAcceptance(tx, tenantId, actorName(actor));
        await recordAuditEvent(tx, actor, "agreement.accepted", { details: { version: agreementVersion } });
      }
      await recordAuditEvent(tx, actor, "tenant.made", { details: { name: words.tenant } });
      await recordAuditEvent(tx, actor, "key.made", { subjectId: key.keyId, details: { name: "provisioned" } });
      return { tenantId, owner, site, key };
    });
    const { email, existed } = created.owner;
    if (existed) app.log.warn(`${email} exists already: the password is left as it was`);
    const link = given === undefined && !existed ? await createPasswordLinkFor(app, email) : undefined;
    print(values, {
      tenantId: created.tenantId,
      siteId: created.site.siteId,
      keyId: created.key.keyId,
      apiKey: created.key.secret,
      ownerEmail: email,
      vapidPublicKey: created.site.vapidPublicKey,
      ...(link === undefined ? {} : { passwordLink: printableLink(app, link.token), validHours: link.validHours }),
    });
  },
};

/**
 * Returns the owner's password from --password, or from the first line of standard input. Returns undefined without
 * either option.
 */
async function readPassword(values: Values): Promise<string | undefined> {
  if (values["password-stdin"] !== true) return values.password as string | undefined;
  if (values.password !== undefined) throw new UsageError("--password and --password-stdin exclude each other");
  return (await text(process.stdin)).split(/\r?\n/)[0];
}

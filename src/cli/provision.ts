import { createOwner } from "../access/accounts/create-user.ts";
import { createApiKey } from "../access/api-keys/api-keys.ts";
import { actorName } from "../actor.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import { recordAcceptance } from "../tenants/queries.ts";
import { createSite } from "../tenants/sites/sites.ts";
import { agreementVersion } from "../tenants/tenant.ts";
import { createTenant } from "../tenants/tenants.ts";
import { type Command, print, withOptionNames } from "./command.ts";

export const provision: Command = {
  words: ["provision"],
  usage:
    "provision --tenant N --owner EMAIL --password P --site NAME --site-url URL [--accept-dpa] [--plan P] [--json]\n" +
    "      creates a tenant with its owner, a site with its VAPID key pair, and an API key, which is shown once",
  options: {
    tenant: { type: "string" },
    owner: { type: "string" },
    password: { type: "string" },
    site: { type: "string" },
    "site-url": { type: "string" },
    "accept-dpa": { type: "boolean" },
    plan: { type: "string" },
    json: { type: "boolean" },
  },
  createsDatabase: true,
  required: ["tenant", "owner", "password", "site", "site-url"],
  async run(app, values) {
    const text = values as Record<string, string>;
    const created = await app.db.transaction().execute(async (tx) => {
      const dpaAccepted = values["accept-dpa"] === true;
      const { tenantId } = await withOptionNames({ name: "tenant", plan: "plan" }, () =>
        createTenant(app, tx, { name: text.tenant!, plan: text.plan, dpaAccepted }),
      );
      const actor = { kind: "operator", tenantId } as const;
      const owner = await withOptionNames({ email: "owner", password: "password" }, () =>
        createOwner(tx, { tenantId, email: text.owner!, password: text.password! }),
      );
      const site = await withOptionNames({ name: "site", url: "site-url" }, () =>
        createSite(app, actor, tx, { name: text.site!, url: text["site-url"]! }),
      );
      const key = await createApiKey(tx, { tenantId, name: "provisioned", createdBy: owner.userId });
      if (dpaAccepted) {
        await recordAcceptance(tx, tenantId, actorName(actor));
        await recordAuditEvent(tx, actor, "agreement.accepted", { details: { version: agreementVersion } });
      }
      await recordAuditEvent(tx, actor, "tenant.made", { details: { name: text.tenant } });
      await recordAuditEvent(tx, actor, "key.made", { subjectId: key.keyId, details: { name: "provisioned" } });
      return { tenantId, owner, site, key };
    });
    if (created.owner.existed) app.log.warn(`${created.owner.email} exists already: the password is left as it was`);
    print(values, {
      tenantId: created.tenantId,
      siteId: created.site.siteId,
      keyId: created.key.keyId,
      apiKey: created.key.secret,
      ownerEmail: created.owner.email,
      vapidPublicKey: created.site.vapidPublicKey,
    });
  },
};

import { deleteApiKey, listApiKeys } from "../access/api-keys/api-keys.ts";
import { tenantOfApiKey } from "../access/api-keys/queries.ts";
import { membersOfTenant } from "../access/members/queries.ts";
import { allTenants } from "../tenants/queries.ts";
import { allSites } from "../tenants/sites/list-queries.ts";
import { type Command, print, printLine } from "./command.ts";
import { idOf, operatorOfTenant, unknown } from "./operator.ts";

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

export const tenantsList: Command = {
  words: ["tenants", "list"],
  summary: "List the publishers",
  usage:
    "tenants list [--json]\n      the publishers: their ids, names, plans, pauses, and how many sites and members they have",
  options: { json: flag },
  async run(app, values) {
    for (const { createdAt, ...tenant } of await allTenants(app.db))
      printLine(values, { ...tenant, createdAt: createdAt.toISOString() });
  },
};

export const sitesList: Command = {
  words: ["sites", "list"],
  summary: "List the sites",
  usage:
    "sites list [--tenant ID] [--json]\n      the sites: their ids, names, addresses, and whether they are paused, quarantined or removed",
  options: { tenant: text, json: flag },
  async run(app, values) {
    const tenantId = values.tenant === undefined ? null : (await operatorOfTenant(app, values.tenant)).actor.tenantId;
    for (const { removedAt, ...site } of await allSites(app.db, tenantId))
      printLine(values, { ...site, removedAt: removedAt?.toISOString() ?? null });
  },
};

export const membersList: Command = {
  words: ["members", "list"],
  summary: "List the members of a publisher, with their roles",
  usage: "members list --tenant ID [--json]\n      the people who work for a publisher, with their roles",
  options: { tenant: text, json: flag },
  required: ["tenant"],
  async run(app, values) {
    const { actor } = await operatorOfTenant(app, values.tenant);
    for (const { joinedAt, siteRoles, ...member } of await membersOfTenant(app.db, actor.tenantId)) {
      const onSites = values.json === true ? siteRoles : siteRoles.map(({ siteId, role }) => `${siteId}:${role}`);
      printLine(values, { ...member, siteRoles: onSites, joinedAt: joinedAt.toISOString() });
    }
  },
};

export const keysList: Command = {
  words: ["keys", "list"],
  summary: "List the API keys of a publisher",
  usage:
    "keys list --tenant ID [--json]\n      the API keys of a publisher: who made them, what they may do, when they were used",
  options: { tenant: text, json: flag },
  required: ["tenant"],
  async run(app, values) {
    const { actor } = await operatorOfTenant(app, values.tenant);
    for (const key of (await listApiKeys(app, actor)).data) printLine(values, key);
  },
};

export const keysRevoke: Command = {
  words: ["keys", "revoke"],
  summary: "Revoke an API key: it stops working at once",
  usage: "keys revoke ID [--json]\n      ends an API key: it stops working at once, on all machines",
  options: { json: flag },
  operands: ["ID"],
  async run(app, values, [typed]) {
    const keyId = idOf("key", typed);
    const tenantId = await tenantOfApiKey(app.db, keyId);
    if (tenantId === undefined) throw unknown("key", keyId);
    await deleteApiKey(app, { kind: "operator", tenantId }, { keyId });
    print(values, { keyId, revoked: true });
  },
};

import { requestSiteErasure, requestTenantErasure } from "../erasure/request-erasure.ts";
import { type Command, print, UsageError } from "./command.ts";

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

const next = "a running service deletes it within two hours";

export const siteErase: Command = {
  words: ["site", "erase"],
  summary: "Remove a site and all that names it, for good",
  usage:
    "site erase --site ID --yes [--json]\n      removes a site and deletes all that names it, also what was sent, for good; takes no name",
  options: { site: text, yes: flag, json: flag },
  required: ["site"],
  async run(app, values) {
    if (values.yes !== true) throw new UsageError("this deletes the site's readers, campaigns and runs: say --yes");
    const siteId = String(values.site).toLowerCase();
    await requestSiteErasure(app, siteId);
    print(values, { siteId, erased: "soon", next });
  },
};

export const tenantErase: Command = {
  words: ["tenant", "erase"],
  summary: "Delete a tenant with its sites, keys and members, for good",
  usage:
    "tenant erase --tenant ID --yes [--json]\n      deletes a publisher with its sites, keys, members and audit log, for good; takes no name",
  options: { tenant: text, yes: flag, json: flag },
  required: ["tenant"],
  async run(app, values) {
    if (values.yes !== true) throw new UsageError("this deletes all of the publisher: say --yes");
    const tenantId = String(values.tenant).toLowerCase();
    await requestTenantErasure(app, tenantId);
    print(values, { tenantId, erased: "soon", next });
  },
};

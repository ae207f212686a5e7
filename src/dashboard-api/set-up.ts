import { z } from "zod";
import { createOwner } from "../access/accounts/create-user.ts";
import { emailAddress, linkToken, newPassword } from "../access/accounts/credentials.ts";
import { createApiKey } from "../access/api-keys/api-keys.ts";
import { actorName } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import { appError } from "../errors.ts";
import { faults, zodText } from "../faults.ts";
import { expects, parseInput } from "../input.ts";
import { hasTenant, lockTenants, recordAcceptance } from "../tenants/queries.ts";
import { newSite, siteChange } from "../tenants/sites/site.ts";
import { changeSite, createSite } from "../tenants/sites/sites.ts";
import { agreementVersion, newTenant } from "../tenants/tenant.ts";
import { createTenant } from "../tenants/tenants.ts";
import { hasSetUpToken, removeSetUpLink } from "./set-up-link.ts";

const setUpInput = z.strictObject(
  {
    token: linkToken,
    email: emailAddress,
    password: newPassword,
    tenantName: newTenant.shape.name,
    siteName: newSite.shape.name,
    siteUrl: newSite.shape.url,
    timeZone: siteChange.shape.timeZone,
    dpaAccepted: z.literal(true, zodText(faults.not_accepted())),
  },
  expects("a JSON object"),
);

export type SetUp = { tenantId: string; siteId: string; keyId: string; secret: string };

/** Returns whether this is the first visit: no tenant exists yet, from the dashboard or from the command line. */
export async function needsSetUp(app: App): Promise<boolean> {
  return !(await hasTenant(app.db));
}

/**
 * Creates the owner, the tenant, its site and a first API key. Returns the key's secret, which is shown only once.
 * Works only while the installation has no tenant, and only with the token of the set-up link, because the first
 * visitor of a fresh machine is not always its operator. Throws `already_set_up`, `setup_token_required`, and
 * `validation_failed` with all faults at once.
 */
export async function setUp(app: App, input: { body: unknown }): Promise<SetUp & { email: string; password: string }> {
  // This check comes before the checks of the fields, so that later requests learn nothing about the fields.
  if (await hasTenant(app.db)) throw appError("already_set_up");
  if (!hasSetUpToken(app, input.body)) throw appError("setup_token_required");
  const wanted = parseInput(setUpInput, input.body);
  const created = await app.db.transaction().execute(async (tx) => {
    await lockTenants(tx);
    if (await hasTenant(tx)) throw appError("already_set_up");
    const { tenantId } = await createTenant(app, tx, { name: wanted.tenantName, dpaAccepted: true });
    const owner = await createOwner(tx, { tenantId, email: wanted.email, password: wanted.password });
    const actor = { kind: "user", tenantId, userId: owner.userId } as const;
    const { siteId } = await createSite(app, actor, tx, { name: wanted.siteName, url: wanted.siteUrl });
    const key = await createApiKey(tx, { tenantId, name: "First key", createdBy: owner.userId });
    await recordAcceptance(tx, tenantId, actorName(actor));
    await recordAuditEvent(tx, actor, "agreement.accepted", { details: { version: agreementVersion } });
    await recordAuditEvent(tx, actor, "tenant.made", { details: { name: wanted.tenantName } });
    await recordAuditEvent(tx, actor, "key.made", { subjectId: key.keyId, details: { name: "First key" } });
    return { actor, tenantId, siteId, ...key };
  });
  await removeSetUpLink(app);
  const { actor, ...ids } = created;
  if (wanted.timeZone !== undefined) {
    await changeSite(app, actor, { siteId: created.siteId, timeZone: wanted.timeZone });
  }
  return { ...ids, email: wanted.email, password: wanted.password };
}

import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { invalidFields } from "../../errors.ts";
import { findSiteId } from "../delete-registered.ts";
import { endpointHref, hashEndpoint } from "../subscription.ts";
import { type ConsentRecord, consentsOfAddress } from "./queries.ts";

/**
 * Returns what a site of the actor's tenant knows of the consent of one subscription, by its address: also after it has
 * ended, for CONSENT_PROOF_DAYS. Throws `not_found` for the site, and `validation_failed` for what is no address.
 */
export async function readConsents(
  app: App,
  actor: Actor,
  input: { siteId: string; endpoint: string },
): Promise<{ consents: ConsentRecord[] }> {
  const siteId = await findSiteId(app, actor, input.siteId);
  const href = endpointHref(input.endpoint);
  if (href === undefined) {
    throw invalidFields([{ path: "/endpoint", message: "must be the https address of a subscription" }]);
  }
  return { consents: await consentsOfAddress(app.db, siteId, hashEndpoint(href)) };
}

import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { invalidFields } from "../../errors.ts";
import { fault, faults } from "../../faults.ts";
import { findSiteId } from "../delete-registered.ts";
import { endpointHref, hashEndpoint } from "../subscription.ts";
import {
  type ConsentRecord,
  consentsOfAddress,
  consentsPage,
  type HashedConsent,
  type PromptVersion,
  promptsPage,
  proofsPage,
} from "./queries.ts";

const linesPerPage = 2_000;

/**
 * Returns what a site of the actor's tenant knows of the consent of one subscription, by its address. Consents that
 * have ended are included for CONSENT_PROOF_DAYS. Throws `not_found` for the site and `validation_failed` for an
 * invalid address.
 */
export async function readConsents(
  app: App,
  actor: Actor,
  input: { siteId: string; endpoint: string },
): Promise<{ consents: ConsentRecord[] }> {
  const siteId = await findSiteId(app, actor, input.siteId);
  const href = endpointHref(input.endpoint);
  if (href === undefined) {
    throw invalidFields([fault("/endpoint", faults.not_a_subscription_address())]);
  }
  return { consents: await consentsOfAddress(app.db, siteId, hashEndpoint(href)) };
}

/**
 * Returns all that a site of the actor's tenant knows of consents, as NDJSON without addresses: the versions of its
 * prompt, then the consents of its subscribers, then the consents that have ended. Throws `not_found`.
 */
export async function exportConsents(
  app: App,
  actor: Actor,
  input: { siteId: string },
): Promise<AsyncGenerator<string>> {
  const siteId = await findSiteId(app, actor, input.siteId);
  return consentLines(app, siteId);
}

async function* consentLines({ db }: App, siteId: string): AsyncGenerator<string> {
  yield* linesOf<PromptVersion>((last) => promptsPage(db, siteId, last?.version ?? "", linesPerPage));
  yield* linesOf<HashedConsent & { id: number }>((last) => consentsPage(db, siteId, last?.id ?? 0, linesPerPage));
  const first = { hash: "", place: 0 };
  yield* linesOf<HashedConsent & { place: number }>((last) => proofsPage(db, siteId, last ?? first, linesPerPage));
}

/**
 * Yields the lines of all pages, each page in one text. `read`: reads the page after the last row of the page before.
 */
async function* linesOf<Row extends object>(read: (last: Row | undefined) => Promise<Row[]>): AsyncGenerator<string> {
  let last: Row | undefined;
  do {
    const page = await read(last);
    // Ids of readers and places mean nothing outside of the database.
    if (page.length > 0)
      yield page.map((row) => `${JSON.stringify({ ...row, id: undefined, place: undefined })}\n`).join("");
    last = page.length === linesPerPage ? page.at(-1) : undefined;
  } while (last);
}

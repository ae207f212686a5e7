import type { App } from "../../app.ts";
import type { Tx } from "../../db/pool.ts";
import { newId } from "../../ids.ts";
import { recordAccountEvent, recordRefusedSignIn } from "../accounts/account-events.ts";
import { createUser } from "../accounts/create-user.ts";
import { generateLinkToken } from "../accounts/credentials.ts";
import { personName } from "../accounts/own-name.ts";
import { lockUser, userByEmail } from "../accounts/queries.ts";
import type { ProviderIdentity } from "./provider.ts";
import { hasProviderRole, insertLink, isLinked, userOfSubject } from "./queries.ts";
import { ProviderRefusal } from "./refusals.ts";

/**
 * Returns the account of a person at the provider. This is the account that is linked to them, or else the account
 * with their e-mail address. That account is linked now if the provider asserts the address. Creates an account if a
 * tenant has a role for one of the person's groups. A link stays when the address changes at the provider, and an
 * account has one link, so the next holder of an address never gets the account of the former holder. Throws
 * ProviderRefusal `unverified`, `unknown` and `linked`.
 */
export async function findAccount(app: App, identity: ProviderIdentity): Promise<string> {
  const known = await userOfSubject(app.db, identity);
  if (known !== undefined) return known.userId;
  const { email } = identity;
  if (email === undefined) throw new ProviderRefusal("unverified");
  if (!identity.emailVerified) throw refused(app, email, "unverified");
  const userId = await linkByEmail(app, identity, email);
  if (userId === undefined) throw refused(app, email, "linked");
  return userId;
}

/** Returns undefined if the account is linked to another person. */
function linkByEmail(app: App, identity: ProviderIdentity, email: string): Promise<string | undefined> {
  return app.db.transaction().execute(async (tx) => {
    const userId = (await userByEmail(tx, email))?.id ?? (await createAccount(tx, identity, email));
    if (userId === undefined) throw new ProviderRefusal("unknown");
    // If a person signs in for the first time twice at once, the second sign-in sees the link of the first.
    await lockUser(tx, userId);
    if ((await userOfSubject(tx, identity))?.userId === userId) return userId;
    if (await isLinked(tx, userId, identity.issuer)) return undefined;
    const { issuer, subject } = identity;
    await insertLink(tx, { id: newId(), userId, issuer, subject });
    await recordAccountEvent(tx, userId, { event: "provider.linked" });
    return userId;
  });
}

/** Creates an account with a password that nobody knows. Returns undefined if no tenant has a role for the person. */
async function createAccount(tx: Tx, { groups, name }: ProviderIdentity, email: string): Promise<string | undefined> {
  if (!(await hasProviderRole(tx, groups ?? []))) return undefined;
  const { token: password } = generateLinkToken();
  const given = personName.safeParse(name);
  const account = { email, password, emailVerified: true, name: given.success ? given.data : undefined };
  // Another first sign-in may have created the account just now.
  return (await createUser(tx, account)) ?? (await userByEmail(tx, email))?.id;
}

function refused(app: App, email: string, code: "unverified" | "linked"): ProviderRefusal {
  recordRefusedSignIn(app, email, "single sign-on");
  return new ProviderRefusal(code);
}

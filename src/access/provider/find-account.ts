import type { App } from "../../app.ts";
import { newId } from "../../ids.ts";
import { recordAccountEvent, recordRefusedSignIn } from "../accounts/account-events.ts";
import { lockUser, userByEmail } from "../accounts/queries.ts";
import type { ProviderIdentity } from "./provider.ts";
import { insertLink, isLinked, userOfSubject } from "./queries.ts";
import { ProviderRefusal } from "./refusals.ts";

/**
 * Returns the account of a person at the provider: the one that is linked to them, else the one with their e-mail
 * address, which is linked now if the provider asserts the address. Creates none. A link stays when the address changes
 * there, and an account has one link: the next holder of an address must not get the account of the former. Throws
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
    const user = await userByEmail(tx, email);
    if (user === undefined) throw new ProviderRefusal("unknown");
    // Of two first sign-ins at once, the second sees the link of the first.
    await lockUser(tx, user.id);
    if ((await userOfSubject(tx, identity))?.userId === user.id) return user.id;
    if (await isLinked(tx, user.id, identity.issuer)) return undefined;
    const { issuer, subject } = identity;
    await insertLink(tx, { id: newId(), userId: user.id, issuer, subject });
    await recordAccountEvent(tx, user.id, { event: "provider.linked" });
    return user.id;
  });
}

function refused(app: App, email: string, code: "unverified" | "linked"): ProviderRefusal {
  recordRefusedSignIn(app, email, "single sign-on");
  return new ProviderRefusal(code);
}

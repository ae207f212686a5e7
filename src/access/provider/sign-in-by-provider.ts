import { z } from "zod";
import type { App } from "../../app.ts";
import { publicBase } from "../../config.ts";
import { appError } from "../../errors.ts";
import { faults, zodText } from "../../faults.ts";
import { expects, flag, parseInput } from "../../input.ts";
import { ownPage } from "../../own-page.ts";
import { countFailure, RateLimitedError } from "../../rate-limits/count-requests.ts";
import { requireSession } from "../accounts/own-sessions.ts";
import { recordAuthentication } from "../accounts/session-queries.ts";
import type { Caller, Sessions } from "../accounts/sessions.ts";
import { applyProviderRoles } from "./apply-roles.ts";
import { type Begun, forgetBegun, rememberBegun, takeBegun } from "./begun.ts";
import { watchSession } from "./check-sessions.ts";
import { findAccount } from "./find-account.ts";
import type { Provider, ProviderIdentity } from "./provider.ts";
import { ProviderRefusal } from "./refusals.ts";

/**
 * A base URL for the check of `next`: whether a page belongs to the dashboard does not depend on the dashboard's
 * address.
 */
const anyBase = "https://dashboard.invalid/base/";

const beginInput = z.strictObject(
  {
    next: z
      .string(expects("a string"))
      .max(500, zodText(faults.too_long({ most: 500 })))
      .refine((page) => ownPage(page, anyBase) !== null, zodText(faults.not_of_dashboard()))
      .optional(),
    confirm: flag.optional(),
  },
  expects("a JSON object"),
);

/** How far the provider's clock may be behind ours. */
const clockSkewMs = 60_000;

/**
 * Begins a sign-in by the provider with `{ next?, confirm? }`. Returns the URL for the browser to open, and the
 * cookie that lets the browser complete the sign-in. `next`: the page to show afterwards. `confirm`: the person of
 * the caller's session proves again who they are, as with `confirmPassword`. Throws `validation_failed`,
 * `rate_limited`, `unauthenticated` and `unavailable`.
 */
export async function beginByProvider(
  app: App,
  provider: Provider,
  sessions: Sessions,
  { caller, body }: { caller: Caller; body: unknown },
): Promise<{ url: string; setCookies: string[] }> {
  const { next = "/", confirm = false } = parseInput(beginInput, body);
  const session = confirm ? await requireSession(sessions, caller) : undefined;
  // Strangers may call this function, and each call stores a sign-in.
  await countFailure(app, caller.address);
  const { url, checks } = await provider.begin(confirm).catch((error: unknown) => {
    if (!(error instanceof ProviderRefusal)) throw error;
    const message = "The provider of the sign-in does not answer. Try again in a minute, or use your password.";
    throw appError("unavailable", { message });
  });
  const confirms = session && { sessionId: session.sessionId, userId: session.userId };
  const begun = { ...checks, beganAtMs: app.now(), next, ...(confirms && { confirms }) };
  return { url, setCookies: [await rememberBegun(app, provider.settings, begun)] };
}

/**
 * Completes a sign-in with the provider's answer, which is the query `search`. Returns the page to show. This is the
 * wanted page, or the sign-in page with a fragment: the code of a refusal (`ProviderRefusalCode`) or `confirmed`.
 */
export async function completeByProvider(
  app: App,
  provider: Provider,
  sessions: Sessions,
  { caller, search }: { caller: Caller; search: string },
): Promise<{ location: string; setCookies: string[] }> {
  const base = publicBase(app.config, "");
  const forget = forgetBegun(provider.settings);
  try {
    const { page, setCookies } = await complete(app, provider, sessions, { caller, search });
    return { location: base + page, setCookies: [...setCookies, forget] };
  } catch (error) {
    return { location: base + signInPageWith(refusalOf(error)), setCookies: [forget] };
  }
}

async function complete(
  app: App,
  provider: Provider,
  sessions: Sessions,
  { caller, search }: { caller: Caller; search: string },
): Promise<{ page: string; setCookies: string[] }> {
  await countFailure(app, caller.address);
  const begun = await takeBegun(app, caller);
  if (begun === undefined) throw new ProviderRefusal("expired");
  const { identity, refreshToken } = await provider.redeem(search, begun);
  const userId = await findAccount(app, identity);
  await applyProviderRoles(app, userId, identity.groups ?? []);
  if (begun.confirms !== undefined) {
    await confirmSession(app, sessions, { caller, begun, identity, userId });
    return { page: signInPageWith("confirmed"), setCookies: [] };
  }
  // The provider does not ask a person who is signed in there. Without a time, the sign-in counts as very old.
  const authenticatedAt = earlier(identity.authenticatedAt ?? new Date(0), new Date(app.now()));
  const details = { by: "single sign-on" };
  const input = { userId, rememberMe: true, authenticatedAt, proof: "provider", details } as const;
  const { sessionId, setCookies } = await sessions.start(caller, input);
  await watchSession(app, sessionId, refreshToken);
  return { page: begun.next, setCookies };
}

async function confirmSession(
  app: App,
  sessions: Sessions,
  input: { caller: Caller; begun: Begun; identity: ProviderIdentity; userId: string },
): Promise<void> {
  const { caller, begun, identity, userId } = input;
  const current = await sessions.authenticate(caller);
  if (current === null || current.sessionId !== begun.confirms?.sessionId) throw new ProviderRefusal("expired");
  if (userId !== current.userId) throw new ProviderRefusal("other");
  const signedInAtMs = identity.authenticatedAt?.getTime() ?? 0;
  if (signedInAtMs < begun.beganAtMs - clockSkewMs) throw new ProviderRefusal("old");
  await recordAuthentication(app.db, current.sessionId);
}

function refusalOf(error: unknown): string {
  if (error instanceof ProviderRefusal) return error.refusal;
  // The browser shows this answer as a page, so JSON would be no help.
  if (error instanceof RateLimitedError) return "limited";
  throw error;
}

function signInPageWith(code: string): string {
  return `/sign-in#provider=${code}`;
}

function earlier(a: Date, b: Date): Date {
  return a < b ? a : b;
}

import type { App } from "../../app.ts";
import { newId } from "../../ids.ts";
import { generateLinkToken, hashLinkToken } from "../accounts/credentials.ts";
import type { Caller } from "../accounts/sessions.ts";
import type { Checks, ProviderSettings } from "./provider.ts";
import { insertBegun, useBegun } from "./queries.ts";

/**
 * A sign-in that has begun. `next`: the dashboard page to show at the end. `confirms`: the session whose person signs
 * in again; undefined for a new session.
 */
export type Begun = Checks & { beganAtMs: number; next: string; confirms?: { sessionId: string; userId: string } };

const cookieName = "pressbell.provider";
const lastsSeconds = 600;

/**
 * Stores a sealed sign-in. Returns the cookie that lets only the browser that began the sign-in complete it.
 * Otherwise an attacker could make another browser complete it and sign in as the attacker. The cookie is `Lax`,
 * because the provider's site sends the browser back.
 */
export async function rememberBegun(app: App, settings: ProviderSettings, begun: Begun): Promise<string> {
  const { token, tokenHash } = generateLinkToken();
  const sealed = app.secrets.seal(Buffer.from(JSON.stringify(begun)), contextOf(tokenHash));
  await insertBegun(app.db, { id: newId(), tokenHash, sealed });
  return cookieOf(settings, token, lastsSeconds);
}

/**
 * Uses up the sign-in that the caller's browser has begun. Returns undefined if there is none, or if it is done or
 * has expired.
 */
export async function takeBegun(app: App, caller: Caller): Promise<Begun | undefined> {
  const token = new RegExp(`(?:^|;\\s*)${cookieName}=([\\w-]+)`).exec(caller.cookie ?? "")?.[1];
  if (token === undefined) return undefined;
  const tokenHash = hashLinkToken(token);
  const sealed = await useBegun(app.db, tokenHash);
  try {
    return sealed && (JSON.parse(app.secrets.open(sealed, contextOf(tokenHash)).toString()) as Begun);
  } catch {
    // SECRET_KEY was replaced without keeping the old key: the person begins again.
    return undefined;
  }
}

/** Returns a cookie that removes the cookie of `rememberBegun`. */
export function forgetBegun(settings: ProviderSettings): string {
  return cookieOf(settings, "", 0);
}

function cookieOf({ redirectUri }: ProviderSettings, value: string, maxAgeSeconds: number): string {
  const { protocol, pathname } = new URL(redirectUri);
  const secure = protocol === "https:" ? "; Secure" : "";
  return `${cookieName}=${value}; Path=${pathname}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}

function contextOf(tokenHash: Buffer): string {
  return `provider:${tokenHash.toString("base64url")}`;
}

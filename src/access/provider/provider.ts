import type { ClientAuth, Configuration, IDToken, TokenEndpointResponse } from "openid-client";
import type { App } from "../../app.ts";
import { publicBase } from "../../config.ts";
import { ProviderRefusal } from "./refusals.ts";
import { asksProvider, ProviderAway } from "./request.ts";

/**
 * The settings of the provider, from OIDC_… and PUBLIC_URL. `redirectUri`: where the provider sends people back, as
 * registered there.
 */
export type ProviderSettings = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  name: string;
  redirectUri: string;
};

/** Returns the settings of the provider; undefined if none is set. */
export function providerSettings({ config }: App): ProviderSettings | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: name } = config;
  // `readConfig` refuses some of these without the others.
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined;
  return { issuer, clientId, clientSecret, name, redirectUri: `${publicBase(config, "")}${callbackPath}` };
}

const callbackPath = "/dashboard/api/auth/provider/callback";

/** The secrets of one sign-in, which bind the provider's answer to it. */
export type Checks = { state: string; nonce: string; verifier: string };

/**
 * A person who has signed in at the provider. `authenticatedAt`: the time of that sign-in; undefined if the provider
 * does not say. `groups`: the values of OIDC_GROUPS_CLAIM; null if the answer says nothing about the person.
 */
export type ProviderIdentity = {
  issuer: string;
  subject: string;
  email: string | undefined;
  emailVerified: boolean;
  name: string | undefined;
  groups: string[] | null;
  authenticatedAt: Date | undefined;
};

/** The provider's answer to a sign-in or a renewal. `refreshToken`: undefined if the provider gives none. */
export type Granted = { identity: ProviderIdentity; refreshToken: string | undefined };

/** The OpenID Connect provider of this installation. */
export type Provider = {
  settings: ProviderSettings;
  /**
   * Returns the URL at the provider where a person signs in. `again`: a person who is signed in there must sign in
   * again. Throws ProviderRefusal `away` and `failed`.
   */
  begin(again: boolean): Promise<{ url: string; checks: Checks }>;
  /**
   * Redeems the provider's answer, which is the query of the callback. Checks it (OpenID Connect Core 1.0, 3.1.2.7
   * and 3.1.3.7), including the signature of the ID token. Throws ProviderRefusal.
   */
  redeem(search: string, checks: Checks): Promise<Granted>;
  /**
   * Asks, with the refresh token of a session, whether the person may still sign in (RFC 6749, section 6). Returns
   * the person's present identity; null if the provider refuses (`invalid_grant`). Throws ProviderRefusal `away` and
   * `failed`.
   */
  renew(input: { refreshToken: string; subject: string }): Promise<Granted | null>;
};

/** How long the provider's discovery document is used before it is read again. */
const discoveredForMs = 60 * 60_000;
/** The greatest age of a sign-in at the provider, as of Pressbell's own sessions (0001-schema/02-access.sql). */
const longestSessionSeconds = 30 * 24 * 60 * 60;
/**
 * The timeout of each request. Discovery, token, keys and user info together stay below the limit of an answer, 20 s.
 */
const timeoutSeconds = 4;

/** Creates the provider of the settings; undefined if none is set. The provider is first asked at the first sign-in. */
export function createProvider(app: App): Provider | undefined {
  const settings = providerSettings(app);
  if (settings === undefined) return undefined;
  const discovered = discoverer(app, settings);
  const refuseAsked = async <Answer>(ask: () => Promise<Answer>) => ask().catch((error) => refuse(app, error));
  return {
    settings,
    begin: (again) =>
      refuseAsked(async () => {
        const [client, configuration] = await Promise.all([loadClient(), discovered()]);
        const checks = {
          state: client.randomState(),
          nonce: client.randomNonce(),
          verifier: client.randomPKCECodeVerifier(),
        };
        const url = client.buildAuthorizationUrl(configuration, {
          redirect_uri: settings.redirectUri,
          scope: scopesOf(configuration, app.config.OIDC_GROUPS_CLAIM),
          state: checks.state,
          nonce: checks.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
          code_challenge_method: "S256",
          // With `max_age`, whatever its value, the provider must say when the person signed in there.
          ...(again ? { prompt: "login", max_age: "0" } : { max_age: String(longestSessionSeconds) }),
        });
        return { url: url.href, checks };
      }),
    redeem: (search, { state, nonce, verifier }) =>
      refuseAsked(async () => {
        const [client, configuration] = await Promise.all([loadClient(), discovered()]);
        const tokens = await client.authorizationCodeGrant(configuration, new URL(settings.redirectUri + search), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        return grantedBy(configuration, tokens, tokens.claims()!);
      }),
    renew: async ({ refreshToken, subject }) => {
      const [client, configuration] = await refuseAsked(() => Promise.all([loadClient(), discovered()]));
      try {
        const tokens = await client.refreshTokenGrant(configuration, refreshToken);
        const claims = tokens.claims() ?? { sub: subject };
        // The old refresh token is used up. The new one must not be lost if the user info cannot be read.
        return await grantedBy(configuration, tokens, claims).catch((error: unknown) => {
          app.log.warn({ reason: (error as Error).message }, "the provider's user info could not be read");
          const identity = { ...identityOf({ iss: settings.issuer, ...claims }, ""), groups: null };
          return { identity, refreshToken: tokens.refresh_token };
        });
      } catch (error) {
        if (error instanceof client.ResponseBodyError && error.error === "invalid_grant") return null;
        return refuse(app, error);
      }
    },
  };

  async function grantedBy(
    configuration: Configuration,
    tokens: TokenEndpointResponse,
    claims: Claims,
  ): Promise<Granted> {
    const { OIDC_ISSUER: issuer, OIDC_GROUPS_CLAIM: groupsClaim } = app.config;
    const wanted = [claims.email, claims.email_verified, claims[groupsClaim]];
    const hasMore = wanted.includes(undefined) && configuration.serverMetadata().userinfo_endpoint !== undefined;
    const client = await loadClient();
    const more = hasMore ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {};
    const identity = identityOf({ iss: issuer!, ...more, ...claims }, groupsClaim);
    const saysNothing = claims.iss === undefined && !hasMore;
    return { identity: saysNothing ? { ...identity, groups: null } : identity, refreshToken: tokens.refresh_token };
  }
}

/** The claims of an ID token. The answer to a renewal may come without an ID token. */
type Claims = Partial<IDToken> & { sub: string };

/**
 * Returns the scopes to ask for: the address and, if the provider knows these scopes, the name, the groups and
 * refresh tokens.
 */
function scopesOf(configuration: Configuration, groupsClaim: string): string {
  const known = configuration.serverMetadata().scopes_supported ?? [];
  return [
    "openid",
    "email",
    ...["profile", groupsClaim, "offline_access"].filter((scope) => known.includes(scope)),
  ].join(" ");
}

function identityOf(claims: Claims & { iss: string }, groupsClaim: string): ProviderIdentity {
  const { iss: issuer, sub: subject, email, email_verified: verified, name, auth_time: seconds } = claims;
  return {
    issuer,
    subject,
    email: typeof email === "string" ? email.toLowerCase() : undefined,
    emailVerified: verified === true,
    name: typeof name === "string" ? name : undefined,
    groups: [claims[groupsClaim] ?? []].flat().filter((group) => typeof group === "string"),
    authenticatedAt: seconds === undefined ? undefined : new Date(seconds * 1_000),
  };
}

/** Returns a function that reads the provider's discovery document once an hour. A failed read is not cached. */
function discoverer(app: App, settings: ProviderSettings): () => Promise<Configuration> {
  let current: { configuration: Promise<Configuration>; untilMs: number } | undefined;
  return () => {
    if (current === undefined || current.untilMs < app.now()) {
      const configuration = discover(app, settings);
      const kept = { configuration, untilMs: app.now() + discoveredForMs };
      current = kept;
      configuration.catch(() => {
        if (current === kept) current = undefined;
      });
    }
    return current.configuration;
  };
}

async function discover(app: App, settings: ProviderSettings): Promise<Configuration> {
  const { discovery, customFetch, enableNonRepudiationChecks, ClientSecretBasic, ClientSecretPost } =
    await loadClient();
  const { issuer, clientId, clientSecret } = settings;
  // Basic is the default of the specification and, at most providers, of clients.
  const authenticate: ClientAuth = (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: methods = ["client_secret_basic"] } = server;
    const method = methods.includes("client_secret_basic") ? ClientSecretBasic : ClientSecretPost;
    return method(clientSecret)(server, ...rest);
  };
  const configuration = await discovery(new URL(issuer), clientId, {}, authenticate, {
    [customFetch]: asksProvider(app, issuer),
    timeout: timeoutSeconds,
    execute: [enableNonRepudiationChecks],
  });
  // The library accepts that some providers answer for many issuers. Then people of all those issuers could sign in.
  const found = configuration.serverMetadata().issuer;
  if (new URL(found).href !== new URL(issuer).href) throw new Error(`OIDC_ISSUER must be ${found}`);
  return configuration;
}

/** Throws a refusal for an error of the library. Logs what the operator needs to fix it. */
async function refuse(app: App, error: unknown): Promise<never> {
  const { AuthorizationResponseError } = await loadClient();
  const { message, code, error: answered } = error as { message: string; code?: string; error?: string };
  // The error itself is not logged, because its causes hold tokens.
  app.log.warn({ reason: message, code, answered, cause: causeOf(error) }, "a sign-in by the provider failed");
  if (causedByAbsence(error)) throw new ProviderRefusal("away");
  throw new ProviderRefusal(error instanceof AuthorizationResponseError ? "declined" : "failed");
}

function causeOf(error: unknown): string | undefined {
  const cause = (error as { cause?: unknown }).cause;
  return cause instanceof Error ? cause.message : undefined;
}

function causedByAbsence(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error instanceof ProviderAway || causedByAbsence(error.cause);
}

/** The library loads at the first use. */
function loadClient(): Promise<typeof import("openid-client")> {
  return import("openid-client");
}

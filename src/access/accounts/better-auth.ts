import { betterAuth } from "better-auth";
import { createAuthEndpoint } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { createAccessControl } from "better-auth/plugins/access";
import { organization } from "better-auth/plugins/organization";
import { z } from "zod";
import type { App } from "../../app.ts";
import { newId } from "../../ids.ts";
import { permissionsOf, type Role } from "../roles.ts";
import { hashPassword, verifyPassword } from "./credentials.ts";

const daySeconds = 24 * 60 * 60;

/**
 * Creates better-auth over our tables. We use only its functions (`auth.api`) and never its router, so its many
 * routes, its rate limit and its origin check are not reachable. http/account-routes.ts has our routes. Loading
 * better-auth takes 0.4 s. Therefore sessions.ts imports this file when the API starts, and no command does.
 */
export function createBetterAuth(app: App) {
  return betterAuth({
    appName: "Pressbell",
    baseURL: new URL(app.config.PUBLIC_URL ?? "http://localhost").origin,
    basePath: "/dashboard/api/auth",
    secret: app.secrets.sign(Buffer.from("pressbell session cookies")).toString("base64url"),
    database: { db: app.db, type: "postgres" },
    telemetry: { enabled: false },
    logger: { level: "error", log: (_level, message) => app.log.error(`sessions: ${message}`) },
    rateLimit: { enabled: false },
    user: { modelName: "users", fields: { emailVerified: "email_verified", ...times } },
    account: {
      modelName: "accounts",
      fields: { userId: "user_id", providerId: "provider_id", accountId: "account_id", ...times },
    },
    session: {
      modelName: "sessions",
      // A session in use is renewed once a day. The schema (02-access.sql) ends it after 30 days.
      expiresIn: app.config.SESSION_DAYS * daySeconds,
      updateAge: daySeconds,
      fields: {
        userId: "user_id",
        expiresAt: "expires_at",
        ipAddress: "ip_address",
        userAgent: "user_agent",
        ...times,
      },
      // The database sets these fields.
      additionalFields: {
        proof: { type: "string", required: false, input: false },
        usedAt: { type: "date", fieldName: "used_at", required: false, input: false },
        authenticatedAt: { type: "date", fieldName: "authenticated_at", required: false, input: false },
      },
    },
    verification: { modelName: "verifications", fields: { expiresAt: "expires_at", ...times } },
    emailAndPassword: {
      enabled: true,
      // Only set-up, `provision` and invitations create accounts.
      disableSignUp: true,
      password: { hash: hashPassword, verify: ({ hash, password }) => verifyPassword(hash, password) },
    },
    advanced: {
      cookiePrefix: "pressbell",
      useSecureCookies: app.config.PUBLIC_URL?.startsWith("https:") === true,
      // Our tables lack the columns of features that we do not use: OAuth tokens, slugs and invitations.
      database: { generateId: () => newId(), validateSchema: false },
    },
    plugins: [organizations(), ownSignIns()],
  });
}

const times = { createdAt: "created_at", updatedAt: "updated_at" };

/** Returns a plugin that starts the session of a person who has proved who they are to our own code. It is no route. */
function ownSignIns() {
  const body = z.object({
    userId: z.string(),
    rememberMe: z.boolean(),
    authenticatedAt: z.date().optional(),
    proof: z.enum(["password", "code", "passkey", "provider"]),
  });
  return {
    id: "own-sign-ins",
    endpoints: {
      startSession: createAuthEndpoint.serverOnly({ method: "POST", body }, async (ctx) => {
        const { internalAdapter } = ctx.context;
        const { userId, rememberMe, authenticatedAt, proof } = ctx.body;
        const user = await internalAdapter.findUserById(userId);
        if (user === null) return ctx.json({ user: null });
        const more = { proof, ...(authenticatedAt && { authenticatedAt }) };
        const session = await internalAdapter.createSession(userId, !rememberMe, more);
        await setSessionCookie(ctx, { session, user }, !rememberMe);
        return ctx.json({ user, sessionId: session.id });
      }),
    },
  } as const;
}

/** Maps organizations of better-auth to tenants. It never creates a tenant: set-up and the command line do. */
function organizations() {
  const access = createAccessControl({ tenant: ["manageApiKeys"] });
  const roleOf = (name: Role) => access.newRole({ tenant: [...permissionsOf[name]] });
  return organization({
    ac: access,
    roles: { owner: roleOf("owner"), editor: roleOf("editor"), viewer: roleOf("viewer") },
    creatorRole: "owner",
    allowUserToCreateOrganization: false,
    disableOrganizationDeletion: true,
    schema: {
      organization: { modelName: "tenants", fields: { createdAt: "created_at" } },
      member: {
        modelName: "members",
        fields: { organizationId: "tenant_id", userId: "user_id", createdAt: "created_at" },
      },
      session: { fields: { activeOrganizationId: "active_tenant_id" } },
    },
  });
}

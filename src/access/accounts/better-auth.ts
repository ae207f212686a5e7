import { betterAuth } from "better-auth";
import { createAccessControl } from "better-auth/plugins/access";
import { organization } from "better-auth/plugins/organization";
import type { App } from "../../app.ts";
import { newId } from "../../ids.ts";
import { permissionsOf, type Role } from "../roles.ts";
import { hashPassword, verifyPassword } from "./password.ts";

/** A session that nobody uses ends after this; one in use is renewed once a day. */
const sessionDays = 7;
const daySeconds = 24 * 60 * 60;

/** Takes 0.4 s to load: access/accounts/sessions.ts imports this file when the API starts, and no other command does. */
export type BetterAuth = ReturnType<typeof createBetterAuth>;

/**
 * better-auth over our tables. Only its functions are used (`auth.api`), never its router: so its many routes, its own
 * rate limit and its own check of origins play no part, and http/auth-routes.ts has ours.
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
      expiresIn: sessionDays * daySeconds,
      updateAge: daySeconds,
      fields: {
        userId: "user_id",
        expiresAt: "expires_at",
        ipAddress: "ip_address",
        userAgent: "user_agent",
        ...times,
      },
    },
    verification: { modelName: "verifications", fields: { expiresAt: "expires_at", ...times } },
    emailAndPassword: {
      enabled: true,
      // Owners come from `provision` and from invitations, never from the street.
      disableSignUp: true,
      password: { hash: hashPassword, verify: ({ hash, password }) => verifyPassword(hash, password) },
    },
    advanced: {
      cookiePrefix: "pressbell",
      useSecureCookies: app.config.PUBLIC_URL?.startsWith("https:") === true,
      // Our tables have no column for what is not used: OAuth tokens, slugs and invitations.
      database: { generateId: () => newId(), validateSchema: false },
    },
    plugins: [organizations()],
  });
}

const times = { createdAt: "created_at", updatedAt: "updated_at" };

/** An organization is a tenant. The operator makes tenants, through the command line. */
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

import type { FastifyInstance } from "fastify";
import { deleteOwnAccount } from "../access/accounts/delete-account.ts";
import { changeOwnName } from "../access/accounts/own-name.ts";
import { endOtherSessions, endSession, listSessions, requireSession } from "../access/accounts/own-sessions.ts";
import { requestPasswordLink } from "../access/accounts/password-links.ts";
import { confirmPassword, requireRecentSignIn } from "../access/accounts/reauthenticate.ts";
import { readPasswordLink, resetPassword } from "../access/accounts/reset-password.ts";
import type { Sessions } from "../access/accounts/sessions.ts";
import { changePassword, signIn } from "../access/accounts/sign-in.ts";
import { acceptInvitation, readInvitation } from "../access/members/accept-invitation.ts";
import { createProvider } from "../access/provider/provider.ts";
import { signInWithCode } from "../access/second-factor/sign-in-with-code.ts";
import type { App } from "../app.ts";
import { readStart, setUpAndSignIn } from "../dashboard-api/start.ts";
import { bucketOfAddress } from "../rate-limits/count-requests.ts";
import { accountRequestLimit } from "../rate-limits/limits.ts";
import { createMemoryLimit } from "../rate-limits/memory-limit.ts";
import type { AccountRoute } from "./account-route.ts";
import { callerOf } from "./identity.ts";
import { checkBodyHeaders, requireBody } from "./json-body.ts";
import { refuseForeignOrigin } from "./own-origin.ts";
import { passkeyRoutes } from "./passkey-routes.ts";
import { providerRoutes } from "./provider-routes.ts";
import { applyAllowances } from "./rate-limit-headers.ts";
import { secondFactorRoutes } from "./second-factor-routes.ts";

const root = "/dashboard/api";

/**
 * The routes of set-up, sessions, invitations and passwords. better-auth has more routes, but its router is not
 * mounted.
 */
export const accountRoutes: AccountRoute[] = [
  ...secondFactorRoutes,
  ...passkeyRoutes,
  {
    method: "GET",
    path: `${root}/start`,
    needsRecentSignIn: false,
    body: "none",
    async answer(app, sessions, caller) {
      const { start, setCookies } = await readStart(app, sessions, caller);
      return { body: start, setCookies };
    },
  },
  {
    method: "POST",
    path: `${root}/set-up`,
    needsRecentSignIn: false,
    body: "json",
    async answer(app, sessions, caller, input) {
      const { created, setCookies } = await setUpAndSignIn(app, sessions, caller, input);
      return { status: 201, body: created, setCookies };
    },
  },
  {
    method: "POST",
    path: `${root}/auth/sign-in/email`,
    needsRecentSignIn: false,
    body: "json",
    async answer(app, sessions, caller, input) {
      return signIn(app, sessions, caller, input);
    },
  },
  {
    method: "POST",
    path: `${root}/auth/sign-in/code`,
    needsRecentSignIn: false,
    body: "json",
    async answer(app, sessions, caller, input) {
      const { signedIn, setCookies } = await signInWithCode(app, sessions, caller, input);
      return { body: signedIn, setCookies };
    },
  },
  {
    method: "POST",
    path: `${root}/auth/sign-out`,
    needsRecentSignIn: false,
    body: "none",
    async answer(_app, sessions, caller) {
      const { setCookies } = await sessions.signOut(caller);
      return { body: { success: true }, setCookies };
    },
  },
  {
    method: "GET",
    path: `${root}/auth/get-session`,
    needsRecentSignIn: false,
    body: "none",
    async answer(_app, sessions, caller) {
      const { signedIn, setCookies } = await sessions.read(caller);
      return { body: signedIn ?? { user: null, tenants: [] }, setCookies };
    },
  },
  {
    method: "POST",
    path: `${root}/auth/change-password`,
    needsRecentSignIn: false,
    body: "json",
    async answer(app, sessions, caller, input) {
      const { setCookies } = await changePassword(app, sessions, caller, input);
      return { body: {}, setCookies };
    },
  },
  {
    method: "POST",
    path: `${root}/auth/name`,
    needsRecentSignIn: false,
    body: "json",
    async answer(app, sessions, caller, input) {
      await changeOwnName(app, sessions, caller, input);
      return { body: {} };
    },
  },
  {
    method: "GET",
    path: `${root}/auth/recent`,
    needsRecentSignIn: true,
    body: "none",
    answer: async () => ({ body: {} }),
  },
  {
    method: "POST",
    path: `${root}/auth/confirm`,
    needsRecentSignIn: false,
    body: "json",
    async answer(app, sessions, caller, input) {
      await confirmPassword(app, sessions, caller, input);
      return { body: {} };
    },
  },
  {
    method: "GET",
    path: `${root}/auth/sessions`,
    needsRecentSignIn: false,
    body: "none",
    async answer(app, sessions, caller) {
      return { body: await listSessions(app, sessions, caller) };
    },
  },
  {
    method: "POST",
    path: `${root}/auth/sessions/end`,
    needsRecentSignIn: false,
    body: "json",
    async answer(app, sessions, caller, input) {
      await endSession(app, sessions, caller, input);
      return { body: {} };
    },
  },
  {
    method: "POST",
    path: `${root}/auth/sessions/end-others`,
    needsRecentSignIn: false,
    body: "none",
    async answer(app, sessions, caller) {
      return { body: await endOtherSessions(app, sessions, caller) };
    },
  },
  {
    method: "POST",
    path: `${root}/auth/delete-account`,
    needsRecentSignIn: true,
    body: "none",
    async answer(app, sessions, caller) {
      const { setCookies } = await deleteOwnAccount(app, sessions, caller);
      return { body: {}, setCookies };
    },
  },
  {
    method: "POST",
    path: `${root}/invitations/look`,
    needsRecentSignIn: false,
    body: "json",
    async answer(app, _sessions, caller, input) {
      return { body: await readInvitation(app, caller, input) };
    },
  },
  {
    method: "POST",
    path: `${root}/invitations/accept`,
    needsRecentSignIn: false,
    body: "json",
    async answer(app, sessions, caller, input) {
      const { setCookies } = await acceptInvitation(app, sessions, caller, input);
      return { body: {}, setCookies };
    },
  },
  {
    method: "POST",
    path: `${root}/password/forgotten`,
    needsRecentSignIn: false,
    body: "json",
    async answer(app, _sessions, caller, input) {
      await requestPasswordLink(app, caller, input);
      return { status: 202, body: {} };
    },
  },
  {
    method: "POST",
    path: `${root}/password/look`,
    needsRecentSignIn: false,
    body: "json",
    async answer(app, _sessions, caller, input) {
      return { body: await readPasswordLink(app, caller, input) };
    },
  },
  {
    method: "POST",
    path: `${root}/password/new`,
    needsRecentSignIn: false,
    body: "json",
    async answer(app, sessions, caller, input) {
      const { setCookies } = await resetPassword(app, sessions, caller, input);
      return { body: {}, setCookies };
    },
  },
];

/**
 * Mounts the account routes and the provider's routes. The order of checks is: the rate limit of the address (429),
 * for a POST its origin (403), the headers of its body (415) and its body (400), and how recent the sign-in is (401,
 * 403).
 */
export function mountAccountRoutes(server: FastifyInstance, app: App, sessions: Sessions): void {
  const routes = [...accountRoutes, ...providerRoutes(createProvider(app))];
  const count = createMemoryLimit(accountRequestLimit(app), app.now);
  for (const { method, path, needsRecentSignIn, body: takes, answer } of routes) {
    server.route({
      method,
      url: path,
      exposeHeadRoute: false,
      onRequest: async (request, reply) => {
        applyAllowances(reply, [count(request.ip)]);
        // Nobody is identified here yet, so all requests of one address share some connections.
        request.waitBudget.party = `address ${bucketOfAddress(request.ip)}`;
        if (method === "GET") return;
        refuseForeignOrigin(app, request);
        checkBodyHeaders(request);
      },
      handler: async (request, reply) => {
        const search = /\?.*/.exec(request.url)?.[0] ?? "";
        const input = { body: takes === "json" ? requireBody(request.body) : undefined, search };
        const caller = callerOf(request);
        if (needsRecentSignIn) requireRecentSignIn(app, await requireSession(sessions, caller));
        const { status = 200, body, setCookies = [], location } = await answer(app, sessions, caller, input);
        if (setCookies.length > 0) reply.header("set-cookie", setCookies);
        if (location !== undefined) reply.header("location", location);
        return reply.code(status).send(body);
      },
    });
  }
}

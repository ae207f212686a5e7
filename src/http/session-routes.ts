import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { newPassword } from "../access/accounts/create-user.ts";
import type { Sessions } from "../access/accounts/sessions.ts";
import { acceptInvitation, readInvitation } from "../access/members/invitations.ts";
import type { App } from "../app.ts";
import { needsSetUp, setUp } from "../dashboard-api/set-up.ts";
import { readWorkspace, type WorkspaceTenant } from "../dashboard-api/workspace.ts";
import { appError, invalidFields } from "../errors.ts";
import { expects, parseInput } from "../input.ts";
import { sendsMail } from "../mail/queue-email.ts";
import { countAttempt, setCookies } from "./auth-routes.ts";
import { callerOf } from "./identity.ts";
import { judgeBodyHeaders } from "./json-body.ts";
import { refuseForeignOrigin } from "./own-origin.ts";
import { countFailure } from "./rate-limit.ts";

const root = "/dashboard/api";
const token = z.string(expects("a string")).min(1, "must not be empty").max(100, "is no token of ours");
const jsonObject = expects("a JSON object");
const lookInput = z.strictObject({ token }, jsonObject);
const acceptInput = z.strictObject({ token, password: newPassword }, jsonObject);
const passwordInput = z.strictObject(
  {
    currentPassword: z.string(expects("a string")).max(128, "must have at most 128 characters"),
    newPassword,
  },
  jsonObject,
);

/**
 * What the dashboard asks first. `publicUrl`: where readers and the CMS reach the service, as far as it is set.
 * `sendsMail`: whether a forgotten password can be mailed.
 */
export type Start = {
  needsSetUp: boolean;
  user: { userId: string; email: string; name: string } | null;
  tenants: WorkspaceTenant[];
  publicUrl: string | null;
  sendsMail: boolean;
};

/** What is asked of the dashboard without a tenant: the first visit, invitations, and one's own account. */
export function sessionRoutes(server: FastifyInstance, app: App, sessions: Sessions): void {
  const onRequest = async (request: FastifyRequest) => {
    refuseForeignOrigin(app, request);
    judgeBodyHeaders(request);
  };
  server.get(`${root}/start`, { exposeHeadRoute: false }, async (request, reply) => {
    const { signedIn, setCookies: lines } = await sessions.show(callerOf(request));
    return setCookies(reply, lines).send(await readStart(app, signedIn?.user ?? null));
  });
  server.post(`${root}/set-up`, { onRequest }, async (request, reply) => {
    const { email, password, ...made } = await setUp(app, { body: bodyOf(request) });
    const session = await sessions.signIn(callerOf(request), { email, password });
    return setCookies(reply.code(201), session?.setCookies ?? []).send(made);
  });
  server.post(`${root}/invitations/look`, { onRequest }, async (request, reply) => {
    const input = parseInput(lookInput, bodyOf(request));
    await countFailure(app, request, reply);
    return readInvitation(app, input.token);
  });
  server.post(`${root}/invitations/accept`, { onRequest }, async (request, reply) => {
    const input = parseInput(acceptInput, bodyOf(request));
    const { email, hasAccount } = await readInvitation(app, input.token);
    const giveBack = await countAttempt(app, request, reply, email);
    const signIn = () => sessions.signIn(callerOf(request), { email, password: input.password });
    // Whoever has an account shows that it is theirs before anything is changed.
    const before = hasAccount ? await signIn() : undefined;
    if (before === null) throw appError("sign_in_failed");
    await acceptInvitation(app, input);
    await giveBack();
    const session = before ?? (await signIn());
    return setCookies(reply, session?.setCookies ?? []).send({});
  });
  server.post(`${root}/auth/change-password`, { onRequest }, async (request, reply) => {
    const input = parseInput(passwordInput, bodyOf(request));
    const { signedIn } = await sessions.show(callerOf(request));
    if (signedIn === null) throw appError("unauthenticated", { message: "Sign in to change your password." });
    const giveBack = await countAttempt(app, request, reply, signedIn.user.email);
    const changed = await sessions.changePassword(callerOf(request), input);
    if (changed === null) throw invalidFields([{ path: "/currentPassword", message: "is not your password" }]);
    await giveBack();
    return setCookies(reply, changed.setCookies).send({});
  });
}

async function readStart(app: App, user: Start["user"]): Promise<Start> {
  return {
    needsSetUp: user === null && (await needsSetUp(app)),
    user,
    tenants: user === null ? [] : await readWorkspace(app, user.userId),
    publicUrl: app.config.PUBLIC_URL ?? null,
    sendsMail: sendsMail(app),
  };
}

function bodyOf(request: FastifyRequest): unknown {
  if (request.body === undefined) throw appError("malformed_json");
  return request.body;
}

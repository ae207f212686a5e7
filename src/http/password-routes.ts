import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { emailAddress, newPassword } from "../access/accounts/create-user.ts";
import { mailPasswordLink, readPasswordLink, resetPassword } from "../access/accounts/password-links.ts";
import type { Sessions } from "../access/accounts/sessions.ts";
import type { App } from "../app.ts";
import { appError } from "../errors.ts";
import { expects, parseInput } from "../input.ts";
import { sendsMail } from "../mail/queue-email.ts";
import { bucketOfAddress, countRequest, failureLimit, isOver, passwordMailLimit } from "../rate-limits/limits.ts";
import { setCookies } from "./auth-routes.ts";
import { loggableError } from "./errors.ts";
import { callerOf } from "./identity.ts";
import { judgeBodyHeaders } from "./json-body.ts";
import { refuseForeignOrigin } from "./own-origin.ts";
import { applyAllowances, countFailure } from "./rate-limit.ts";

const root = "/dashboard/api/password";
const jsonObject = expects("a JSON object");
const token = z.string(expects("a string")).min(1, "must not be empty").max(100, "is no token of ours");
const forgottenInput = z.strictObject({ email: emailAddress }, jsonObject);
const lookInput = z.strictObject({ token }, jsonObject);
const newInput = z.strictObject({ token, password: newPassword }, jsonObject);

/** A forgotten password: a link to one's own address, and what the link opens. Nobody is signed in here. */
export function passwordRoutes(server: FastifyInstance, app: App, sessions: Sessions): void {
  const onRequest = async (request: FastifyRequest) => {
    refuseForeignOrigin(app, request);
    judgeBodyHeaders(request);
  };
  server.post(`${root}/forgotten`, { onRequest }, async (request, reply) => {
    const { email } = parseInput(forgottenInput, bodyOf(request));
    if (!sendsMail(app)) throw appError("no_mail");
    const from = await countRequest(app, failureLimit, bucketOfAddress(request.ip));
    if (isOver(from)) applyAllowances(reply, [from]);
    const account = app.secrets.sign(Buffer.from(`forgotten ${email}`)).toString("base64url");
    // Over this no further letters go out, and the answer stays the same: it says nothing of who has an account.
    // Answered before anybody is looked up: the time it takes says nothing either.
    if (!isOver(await countRequest(app, passwordMailLimit, account))) {
      void mailPasswordLink(app, email).catch((error: unknown) => {
        app.log.error({ err: loggableError(error) }, "a link for a new password could not be written");
      });
    }
    return reply.code(202).send({});
  });
  server.post(`${root}/look`, { onRequest }, async (request, reply) => {
    const input = parseInput(lookInput, bodyOf(request));
    await countFailure(app, request, reply);
    return readPasswordLink(app, input.token);
  });
  server.post(`${root}/new`, { onRequest }, async (request, reply) => {
    const input = parseInput(newInput, bodyOf(request));
    await countFailure(app, request, reply);
    const { email } = await resetPassword(app, input);
    const session = await sessions.signIn(callerOf(request), { email, password: input.password });
    return setCookies(reply, session?.setCookies ?? []).send({});
  });
}

function bodyOf(request: FastifyRequest): unknown {
  if (request.body === undefined) throw appError("malformed_json");
  return request.body;
}

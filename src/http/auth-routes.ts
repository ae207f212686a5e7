import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Sessions } from "../access/accounts/sessions.ts";
import type { App } from "../app.ts";
import { appError } from "../errors.ts";
import { expects, parseInput } from "../input.ts";
import {
  accountEverywhereLimit,
  accountLimit,
  bucketOfAddress,
  countRequest,
  failureLimit,
  isOver,
  uncountRequest,
} from "../rate-limits/limits.ts";
import { callerOf } from "./identity.ts";
import { judgeBodyHeaders } from "./json-body.ts";
import { refuseForeignOrigin } from "./own-origin.ts";
import { applyAllowances } from "./rate-limit.ts";

const credentials = z.strictObject(
  {
    email: z
      .string(expects("a string"))
      .max(254, "must have at most 254 characters")
      .pipe(z.email("must be an e-mail address")),
    password: z.string(expects("a string")).max(128, "must have at most 128 characters"),
    rememberMe: z.boolean("must be true or false").optional(),
  },
  expects("a JSON object"),
);

const root = "/dashboard/api/auth";

/**
 * Signing in and out of the dashboard. Of better-auth's many routes these three exist, and in session-routes.ts the
 * change of a password. The session's token travels in its cookie alone.
 */
export function authRoutes(server: FastifyInstance, app: App, sessions: Sessions): void {
  const onRequest = async (request: FastifyRequest) => {
    refuseForeignOrigin(app, request);
    judgeBodyHeaders(request);
  };
  server.post(`${root}/sign-in/email`, { onRequest }, async (request, reply) => {
    if (request.body === undefined) throw appError("malformed_json");
    const input = parseInput(credentials, request.body);
    const giveBack = await countAttempt(app, request, reply, input.email);
    const result = await sessions.signIn(callerOf(request), input);
    if (result === null) throw appError("sign_in_failed");
    await giveBack();
    return setCookies(reply, result.setCookies).send(result.signedIn);
  });
  server.post(`${root}/sign-out`, { onRequest }, async (request, reply) => {
    const { setCookies: lines } = await sessions.signOut(callerOf(request));
    return setCookies(reply, lines).send({ success: true });
  });
  server.get(`${root}/get-session`, { exposeHeadRoute: false }, async (request, reply) => {
    const { signedIn, setCookies: lines } = await sessions.show(callerOf(request));
    return setCookies(reply, lines).send(signedIn ?? { user: null, tenants: [] });
  });
}

/**
 * Counts an attempt before its password is hashed, so that a hundred at once do not all pass. Throws `rate_limited`.
 * Returns how to take the count back after a good one.
 */
export async function countAttempt(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  email: string,
): Promise<() => Promise<void>> {
  const address = bucketOfAddress(request.ip);
  const account = app.secrets.sign(Buffer.from(`sign-in ${email.toLowerCase()}`)).toString("base64url");
  const counted = [
    { limit: failureLimit, bucket: address },
    { limit: accountLimit, bucket: `${account}@${address}` },
    { limit: accountEverywhereLimit, bucket: account },
  ];
  for (const { limit, bucket } of counted) {
    const allowance = await countRequest(app, limit, bucket);
    if (isOver(allowance)) applyAllowances(reply, [allowance]);
  }
  return async () => {
    for (const { limit, bucket } of counted) await uncountRequest(app, limit, bucket);
  };
}

export function setCookies(reply: FastifyReply, lines: string[]): FastifyReply {
  return lines.length === 0 ? reply : reply.header("set-cookie", lines);
}

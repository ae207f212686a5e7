import type { FastifyInstance, FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import { isPushExpected, receivePush } from "../feeds/websub/receive-push.ts";
import { confirmSubscription } from "../feeds/websub/subscribe-hub.ts";
import { bucketOfAddress } from "../rate-limits/count-requests.ts";
import { hubRequestLimit } from "../rate-limits/limits.ts";
import { createMemoryLimit } from "../rate-limits/memory-limit.ts";
import { applyAllowances } from "./rate-limit-headers.ts";

/** The largest push that is read. A hub sends at most the feed. A larger feed is polled. */
export const pushLimitBytes = 2 * 1024 * 1024;

type FeedParams = { feedId: string };
type PushRequest = FastifyRequest<{ Params: FeedParams; Body: Buffer | undefined }>;

/**
 * Mounts the callback URL of WebSub hubs. GET confirms a subscription that we asked for. POST pushes new entries. No
 * key is needed, because the signature authenticates a push. A push with a wrong signature is ignored with 202, as
 * the standard asks. The limit of an address comes first, because anybody may call these routes.
 */
export function mountWebsub(server: FastifyInstance, app: App): void {
  const count = createMemoryLimit(hubRequestLimit, app.now);
  server.register(async (scope) => {
    scope.addHook("onRequest", async (request, reply) => {
      request.waitBudget.party = `address ${bucketOfAddress(request.ip)}`;
      applyAllowances(reply, [count(request.ip)]);
    });
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      "*",
      { parseAs: "buffer", bodyLimit: pushLimitBytes },
      async (_request: unknown, body: Buffer) => body,
    );
    scope.get<{ Params: FeedParams }>("/websub/:feedId", { exposeHeadRoute: false }, async (request, reply) => {
      const challenge = await confirmSubscription(app, { feedId: request.params.feedId, query: request.query });
      if (challenge === null) return reply.code(404).type("text/plain").send("");
      return reply.code(200).type("text/plain").send(challenge);
    });
    scope.post<{ Params: FeedParams; Body: Buffer | undefined }>(
      "/websub/:feedId",
      {
        bodyLimit: pushLimitBytes,
        // This check comes before the body is read, because a hub may go on pushing to a feed that is gone.
        onRequest: async (request, reply) => {
          if (!(await isPushExpected(app, request.params.feedId))) return reply.code(410).send();
          // Fastify refuses a body without a content type.
          request.headers["content-type"] ??= "application/octet-stream";
        },
      },
      async (request, reply) => {
        const outcome = await receivePush(app, pushOf(request));
        return reply.code(outcome === "gone" ? 410 : 202).send();
      },
    );
  });
}

function pushOf({ params, headers, body }: PushRequest): Parameters<typeof receivePush>[1] {
  const signature = String(headers["x-hub-signature"] ?? "");
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(headers["content-type"] ?? "")?.[1];
  return {
    feedId: params.feedId,
    signature,
    body: body ?? Buffer.alloc(0),
    ...(charset === undefined ? {} : { charset }),
  };
}

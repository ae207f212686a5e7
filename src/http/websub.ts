import type { FastifyInstance } from "fastify";
import type { App } from "../app.ts";
import { isPushExpected, receivePush } from "../feeds/websub/receive-push.ts";
import { confirmSubscription } from "../feeds/websub/subscribe-hub.ts";

/** A hub sends at most the feed; what is larger is polled. */
const bodyLimitBytes = 2 * 1024 * 1024;

/**
 * The address at which hubs reach a feed (WebSub): GET confirms what we asked for, POST tells of what is new. No key: a
 * push is known by its signature, and one that is not signed right is ignored with 202, as the standard asks.
 */
export function websubRoutes(server: FastifyInstance, app: App): void {
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      "*",
      { parseAs: "buffer", bodyLimit: bodyLimitBytes },
      async (_request: unknown, body: Buffer) => body,
    );
    scope.get<{ Params: { feedId: string } }>("/websub/:feedId", { exposeHeadRoute: false }, async (request, reply) => {
      const challenge = await confirmSubscription(app, { feedId: request.params.feedId, query: request.query });
      if (challenge === null) return reply.code(404).type("text/plain").send("");
      return reply.code(200).type("text/plain").send(challenge);
    });
    scope.post<{ Params: { feedId: string }; Body: Buffer | undefined }>(
      "/websub/:feedId",
      {
        bodyLimit: bodyLimitBytes,
        onRequest: async (request, reply) => {
          if (!(await isPushExpected(app, request.params.feedId))) return reply.code(410).send();
          // Fastify refuses a body without a type.
          request.headers["content-type"] ??= "application/octet-stream";
        },
      },
      async (request, reply) => {
        const { feedId } = request.params;
        const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(request.headers["content-type"] ?? "")?.[1];
        const push = {
          feedId,
          signature: String(request.headers["x-hub-signature"] ?? ""),
          body: request.body ?? Buffer.alloc(0),
        };
        const outcome = await receivePush(app, { ...push, ...(charset === undefined ? {} : { charset }) });
        return reply.code(outcome === "gone" ? 410 : 202).send();
      },
    );
  });
}

import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply } from "fastify";

declare module "fastify" {
  interface FastifyInstance {
    openStreams: Set<Readable>;
  }
}

/** Ends open streams when `server` closes: the drain must not wait for their readers. */
export function endStreamsOnClose(server: FastifyInstance): void {
  server.decorate("openStreams", new Set<Readable>());
  server.addHook("preClose", async () => {
    for (const stream of server.openStreams) stream.destroy();
  });
}

/** Answers with the chunks of `stream`. The stream is destroyed when the caller disconnects or the server closes. */
export function sendStream(server: FastifyInstance, reply: FastifyReply, stream: Readable): FastifyReply {
  server.openStreams.add(stream);
  stream.once("close", () => server.openStreams.delete(stream));
  reply.raw.once("close", () => stream.destroy());
  return reply.send(stream);
}

import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply } from "fastify";

declare module "fastify" {
  interface FastifyInstance {
    openStreams: Set<Readable>;
  }
}

/** Makes room for streams on `server`: what is still open when it closes is ended, so that nobody waits for a reader. */
export function prepareStreams(server: FastifyInstance): void {
  server.decorate("openStreams", new Set<Readable>());
  server.addHook("preClose", async () => {
    for (const stream of server.openStreams) stream.destroy();
  });
}

/** Answers with `stream` as it comes. Its end, the reader's going and the server's close all end it. */
export function sendStream(server: FastifyInstance, reply: FastifyReply, stream: Readable): FastifyReply {
  server.openStreams.add(stream);
  stream.once("close", () => server.openStreams.delete(stream));
  reply.raw.once("close", () => stream.destroy());
  return reply.send(stream);
}

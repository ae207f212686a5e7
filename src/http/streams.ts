import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { App } from "../app.ts";
import { appError } from "../errors.ts";
import { loggableError } from "../log.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** The open streams, each with the party (wait-budget.ts) that reads it. */
    openStreams: Map<Readable, string | undefined>;
  }
}

/** The most streams of one tenant that a process has open: exports, and runs that members follow. */
export const maxStreams = 200;

/** Ends open streams when `server` closes: the drain must not wait for their readers. */
export function endStreamsOnClose(server: FastifyInstance): void {
  server.decorate("openStreams", new Map<Readable, string | undefined>());
  server.addHook("preClose", async () => {
    for (const stream of server.openStreams.keys()) stream.destroy(appError("unavailable"));
  });
}

/**
 * Answers with the chunks of `stream`, without a limit of time. The stream is destroyed when the caller disconnects or
 * the server closes. If it fails in the middle, the connection is reset, so that the caller sees that the end is missing.
 * Throws `rate_limited` for a party that has `maxStreams` open.
 */
export function sendStream(server: FastifyInstance, app: App, reply: FastifyReply, stream: Readable): FastifyReply {
  // Answered 503 meanwhile, because the stream took too long to open.
  if (reply.sent) {
    stream.destroy();
    return reply;
  }
  const { party } = reply.request.waitBudget;
  if ([...server.openStreams.values()].filter((of) => of === party).length >= maxStreams) {
    stream.destroy();
    throw tooMany();
  }
  server.openStreams.set(stream, party);
  stream.once("close", () => server.openStreams.delete(stream));
  reply.raw.once("close", () => stream.destroy());
  stream.once("error", (error) => resetBegun(app, reply, error));
  reply.raw.on("timeout", () => resetBegun(app, reply, new Error("no progress")));
  return reply.send(stream);
}

function tooMany() {
  return appError("rate_limited", {
    message: `This publisher has ${maxStreams} downloads and followed runs open. Close some, or wait until one has ended.`,
    limit: "streams",
    retryAfterSeconds: 5,
  });
}

/**
 * Resets the connection of an answer that has begun. The last chunk of HTTP/1.1 is then missing; and an answer over
 * HTTP/1.0 (which nginx speaks to us by default) ends with its connection, so that a close alone would look like its end.
 */
function resetBegun(app: App, { raw, request }: FastifyReply, error: Error): void {
  if (!raw.headersSent) return; // answered with the error instead
  app.log.warn({ err: loggableError(error), requestId: request.id }, "an answer was cut off in the middle");
  raw.socket?.resetAndDestroy();
}

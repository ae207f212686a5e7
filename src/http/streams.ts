import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { App } from "../app.ts";
import { appError } from "../errors.ts";

declare module "fastify" {
  interface FastifyInstance {
    /**
     * The answers that are streams, each with the party (wait-budget.ts) that reads it. `stream`: absent before it
     * begins.
     */
    openStreams: Map<ServerResponse, { party: string | undefined; stream?: Readable }>;
  }
}

/** The most streams that a process has open for one tenant: exports, and runs that members follow. */
export const maxStreams = 200;
/** The most streams that a process has open for one member, whose pages are told about changes. */
export const maxMemberStreams = 20;

/** Ends open streams when `server` closes, because the drain must not wait for their readers. */
export function endStreamsOnClose(server: FastifyInstance): void {
  server.decorate("openStreams", new Map());
  server.addHook("preClose", async () => {
    for (const { stream } of server.openStreams.values()) stream?.destroy(appError("unavailable"));
  });
}

/**
 * Takes a place among the open streams for this answer. Call it before the operation begins, because the operation
 * records what it gives out. The place is free again when the answer has ended. Throws `rate_limited` for a party
 * with `maxStreams` open streams. With `member`, throws it for a member with `maxMemberStreams` open streams.
 */
export function takeStreamPlace(
  { openStreams }: FastifyInstance,
  { raw, request }: FastifyReply,
  member?: string,
): void {
  const party = member ?? request.waitBudget.party;
  const most = member === undefined ? maxStreams : maxMemberStreams;
  if ([...openStreams.values()].filter((open) => open.party === party).length >= most) {
    throw tooMany(member === undefined);
  }
  if (raw.destroyed) return;
  openStreams.set(raw, { party });
  raw.once("close", () => openStreams.delete(raw));
}

/**
 * Answers with the chunks of `stream`, without a limit of time. The answer has a place (takeStreamPlace). The stream
 * is destroyed when the caller disconnects or the server closes. If it fails in the middle, the connection is reset,
 * so that the caller notices that the end is missing.
 */
export function sendStream(server: FastifyInstance, app: App, reply: FastifyReply, stream: Readable): FastifyReply {
  // The request was answered 503 meanwhile, because the stream took too long to open.
  if (reply.sent) {
    stream.destroy();
    return reply;
  }
  const place = server.openStreams.get(reply.raw);
  if (place !== undefined) place.stream = stream;
  reply.raw.once("close", () => stream.destroy());
  stream.once("error", (error) => resetBegun(app, reply, error));
  reply.raw.on("timeout", () => resetBegun(app, reply, new Error("no progress")));
  return reply.send(stream);
}

function tooMany(isOfTenant: boolean) {
  return appError("rate_limited", {
    message: isOfTenant
      ? `This publisher has ${maxStreams} downloads and followed runs open. Close some, or wait until one has ended.`
      : `You have ${maxMemberStreams} pages open that follow what changes. Close some.`,
    limit: "streams",
    retryAfterSeconds: 5,
  });
}

/**
 * Resets the connection of an answer that has begun. In HTTP/1.1, the last chunk is then missing. In HTTP/1.0 (which
 * nginx uses towards us by default), an answer ends with its connection, so a plain close would look like its end.
 */
function resetBegun(app: App, { raw, request }: FastifyReply, error: Error): void {
  if (!raw.headersSent) return; // answered with the error instead
  app.log.warn({ err: error, requestId: request.id }, "an answer was cut off in the middle");
  raw.socket?.resetAndDestroy();
}

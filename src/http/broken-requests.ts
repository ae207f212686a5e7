import { randomUUID } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { appError } from "../errors.ts";
import { errorBody } from "./errors.ts";

/** Answers input that Node cannot parse as HTTP with our error body. Such input never becomes a Fastify request. */
export function refuseBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = randomUUID();
  const [status, code] =
    error.code === "HPE_HEADER_OVERFLOW"
      ? ["431 Request Header Fields Too Large", "headers_too_large" as const]
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? ["408 Request Timeout", "request_timeout" as const]
        : ["400 Bad Request", "bad_request" as const];
  const body = JSON.stringify(errorBody(appError(code), requestId));
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Cache-Control: no-store\r\nX-Request-Id: ${requestId}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** Answers 417 with our error body to any `Expect` except `100-continue`. Node would answer with an empty body. */
export function refuseUnknownExpectations(server: Server): void {
  server.on("checkExpectation", (_request: IncomingMessage, response: ServerResponse) => {
    const requestId = randomUUID();
    const body = JSON.stringify(errorBody(appError("expectation_failed"), requestId));
    response
      .writeHead(417, {
        "content-type": "application/json; charset=utf-8",
        "cache-control": "no-store",
        "x-request-id": requestId,
      })
      .end(body);
  });
}

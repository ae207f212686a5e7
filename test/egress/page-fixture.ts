import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { onTestFinished, vi } from "vitest";
import type { Certificate } from "../fixtures/certificate.ts";
import { closeAfterFile } from "../fixtures/cleanup.ts";

export type Answerer = (request: IncomingMessage, response: ServerResponse) => void;

/** Makes this thread trust `certificate`, like NODE_EXTRA_CA_CERTS. It works only for clients that do not set `ca`. */
export function trust({ cert }: Certificate): void {
  setDefaultCACertificates([...getCACertificates("default"), cert]);
}

/**
 * Stops the clock of setTimeout, by which the fetcher limits its time, until the test ends. Returns a function that
 * moves the clock on by `ms`. So even on a busy machine, a limit passes only after the test has seen everything before
 * it.
 */
export function holdTimeouts(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  return (ms) => void vi.advanceTimersByTime(ms);
}

/** Starts an HTTPS server on loopback. `paths` has the paths of its requests, in order. */
export async function startPageServer(certificate: Certificate, answer: Answerer) {
  const paths: string[] = [];
  const server = createServer(certificate, (request, response) => {
    paths.push(request.url ?? "");
    answer(request, response);
  });
  const port = await listen(server);
  return { port, paths, close: closeAfterFile(() => end(server, () => server.closeAllConnections())) };
}

/** Starts a TCP listener on loopback that counts connections. `greet` gets each socket. By default it sends nothing. */
export async function startCanary(greet: (socket: Socket) => void = () => {}) {
  const sockets: Socket[] = [];
  const server = createTcpServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
    greet(socket);
  });
  const port = await listen(server);
  const close = closeAfterFile(() => end(server, () => sockets.forEach((socket) => void socket.destroy())));
  return { port, connections: () => sockets.length, close };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

async function end(server: Server, cut: () => void): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  cut();
  await closed;
}

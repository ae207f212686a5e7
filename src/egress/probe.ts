import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { createServer } from "node:net";
import type { TLSSocket } from "node:tls";

/**
 * The result of a probe. `body`: its first 1,000 characters. `certificateEndsAt`: null over http. `code`: the code of
 * the system or OpenSSL, such as ECONNREFUSED or CERT_HAS_EXPIRED.
 */
export type Probe =
  | { kind: "answered"; status: number; body: string; certificateEndsAt: Date | null }
  | { kind: "failed"; code: string };

const maxBodyCharacters = 1_000;

/**
 * Sends one GET to a URL that the operator has set, such as PUBLIC_URL. Never use it for a URL that another person
 * names: it does not check addresses, because an operator's own service may be internal. Verifies TLS and follows no
 * redirect. Never rejects. `timeoutMs`: the time for the whole answer.
 */
export function probeUrl(url: URL, timeoutMs: number): Promise<Probe> {
  return new Promise((resolve) => {
    const options = { agent: false, signal: AbortSignal.timeout(timeoutMs), rejectUnauthorized: true };
    const request = (url.protocol === "https:" ? requestHttps : requestHttp)(url, options, (response) => {
      const ends = url.protocol === "https:" ? (response.socket as TLSSocket).getPeerCertificate().valid_to : undefined;
      const certificateEndsAt = ends === undefined ? null : new Date(ends);
      let body = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        body = (body + chunk).slice(0, maxBodyCharacters);
        if (body.length === maxBodyCharacters) response.destroy();
      });
      // An answer that is cut off also ends with an error.
      response.on("error", () => {});
      response.on("close", () =>
        resolve({ kind: "answered", status: response.statusCode ?? 0, body, certificateEndsAt }),
      );
    });
    request.on("error", (error: NodeJS.ErrnoException) => {
      const first: NodeJS.ErrnoException = error instanceof AggregateError ? error.errors[0] : error;
      resolve({ kind: "failed", code: error.name === "AbortError" ? "ETIMEDOUT" : (first.code ?? first.message) });
    });
    request.end();
  });
}

/**
 * Listens on an address of this machine and closes it immediately. Returns the system's error; undefined if the
 * address is free.
 */
export function listenForAMoment(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", resolve);
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

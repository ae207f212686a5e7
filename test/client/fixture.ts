import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Client, type ClientOptions, createClient } from "../../client/client.ts";
import { type CampaignFixture, openCampaignFixture } from "../campaigns/fixture.ts";
import { afterFile } from "../fixtures/cleanup.ts";

/**
 * What the proxy does with one request. `dropAnswer`: the service accepts it, and the connection breaks before its
 * answer. `loseAnswer`: the service accepts it, and the proxy answers 503. `silence`: the service accepts it, and no
 * answer ever comes. An object: the proxy gives this answer, and the service never sees the request.
 */
export type Fault =
  | "dropAnswer"
  | "loseAnswer"
  | "silence"
  | { status: number; headers?: Record<string, string>; body?: string };

export type ClientFixture = CampaignFixture & {
  /** The address of the proxy. */
  url: string;
  /** A client of the publisher that calls through the proxy. */
  client: Client;
  clientWith(options: Partial<ClientOptions>): Client;
  /** The faults of the next requests, in order. */
  faults: Fault[];
  /** The requests since `forget`, as "POST /v1/…", with their Idempotency-Key. */
  requests: { line: string; key: string | undefined }[];
};

/** Opens the service, with a proxy in front of it that breaks the requests that a test chooses. */
export async function openClientFixture(settings: Record<string, string> = {}): Promise<ClientFixture> {
  const fixture = await openCampaignFixture(settings);
  const { tenantId, apiKey } = fixture.publisher;
  const proxy = await startProxy(fixture.api.url);
  const clientWith = (options: Partial<ClientOptions>) =>
    createClient({ url: proxy.url, apiKey, tenantId, firstRetryMs: 1, ...options });
  return { ...fixture, ...proxy, client: clientWith({}), clientWith };
}

/** Starts a proxy in front of the service at `target`, until the file's last test has ended. */
export async function startProxy(target: string) {
  const faults: Fault[] = [];
  const requests: ClientFixture["requests"] = [];
  /**
   * Resolves when the service has accepted the request that got `silence`. Otherwise a repetition could overtake that
   * request.
   */
  let silenced: Promise<void> = Promise.resolve();
  const server = createServer(async (incoming, outgoing) => {
    const key = incoming.headers["idempotency-key"] as string | undefined;
    requests.push({ line: `${incoming.method} ${incoming.url}`, key });
    const fault = faults.shift();
    if (typeof fault === "object") {
      incoming.resume();
      outgoing.writeHead(fault.status, fault.headers).end(fault.body);
      return;
    }
    await silenced;
    const taken = forward(target, incoming, outgoing, fault);
    if (fault === "silence") silenced = taken;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterFile(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, faults, requests };
}

/**
 * Passes a request on, and waits until the service has answered it. Passes that answer on, unless `fault` says
 * otherwise. Resolves when the service has answered.
 */
function forward(
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  fault: Exclude<Fault, object> | undefined,
): Promise<void> {
  const { method, url, headers } = incoming;
  const taken = Promise.withResolvers<void>();
  const onward = request(
    new URL(url!, target),
    { method, headers: { ...headers, host: new URL(target).host } },
    (answer) => {
      taken.resolve();
      if (fault === undefined) return answer.pipe(outgoing.writeHead(answer.statusCode!, answer.headers));
      answer.resume().on("end", () => {
        if (fault === "dropAnswer") outgoing.destroy();
        if (fault === "loseAnswer") outgoing.writeHead(503, { "content-type": "text/html" }).end("<h1>Busy</h1>");
      });
    },
  );
  incoming.pipe(onward);
  return taken.promise;
}

import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { makeCertificate } from "../../certificate.ts";
import type { PushService } from "../../push-service/push-service.ts";
import type { Handed, Receiver } from "../../push-service/receivers.ts";
import { type Mcs, startMcs } from "./mcs.ts";
import { encode, fixed64 } from "./protobuf.ts";

/** Google's side of one Chromium: check-in, registration, and the connection for its messages. */
export type Gcm = {
  /** Command-line switches that lead Chromium here. */
  switches: string[];
  close(): Promise<void>;
};

type World = {
  pushService: PushService;
  mcs: Mcs;
  /** By subtype, which names the service worker's registration; Chromium unregisters it by that. */
  subscriptions: Map<string, Receiver>;
};

/**
 * Starts the GCM of one Chromium. The token that it hands out is the last part of the endpoint's path at the simulator;
 * what goes before is built into Chromium (see chromium.ts).
 */
export async function startGcm(pushService: PushService): Promise<Gcm> {
  const mcs = await startMcs(await makeCertificate("google"));
  const world: World = { pushService, mcs, subscriptions: new Map() };
  const server = createServer((request, response) => void answer(world, request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    switches: [
      `--gcm-checkin-url=${url}/checkin`,
      `--gcm-registration-url=${url}/register3`,
      `--gcm-mcs-endpoint=https://localhost:${mcs.port}`,
      "--ignore-certificate-errors",
    ],
    async close() {
      await mcs.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

async function answer(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = Buffer.concat(await request.toArray());
  response.end(request.url === "/checkin" ? checkin() : register(world, new URLSearchParams(String(body))));
}

/** AndroidCheckinResponse: who this Chromium is from now on. */
function checkin(): Buffer {
  const flags = encode([
    [1, 1],
    [3, Date.now()],
    [9, 0],
  ]);
  return Buffer.concat([flags, fixed64(7, randomBytes(8).readBigUInt64LE()), fixed64(8, 1n)]);
}

/** The first registration is Chromium's own and has no subtype. */
function register({ pushService, mcs, subscriptions }: World, form: URLSearchParams): string {
  const subtype = form.get("X-subtype");
  if (form.get("delete") === "true") {
    subscriptions.get(subtype ?? "")?.leave();
    return `deleted=${form.get("app")}`;
  }
  if (subtype === null) return "token=of-chromium-itself";
  const sender = form.get("sender")!;
  const receive = ({ body, headers }: Handed): void =>
    mcs.send({
      subtype,
      sender,
      contentEncoding: String(headers["content-encoding"]),
      ttlSeconds: Number(headers.ttl),
      body,
    });
  const subscription = pushService.join(sender, receive);
  subscriptions.set(subtype, subscription);
  return `token=${subscription.endpoint.slice(subscription.endpoint.lastIndexOf("/") + 1)}`;
}

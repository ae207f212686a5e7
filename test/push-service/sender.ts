import { createECDH, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { once } from "node:events";
import { type ClientHttp2Session, connect, type OutgoingHttpHeaders } from "node:http2";
import { request as httpsRequest } from "node:https";
import { encrypt } from "http_ece";
import type { PushService } from "../fixtures/push-service/push-service.ts";
import type { Subscription } from "../fixtures/push-service/subscriptions.ts";

/** A VAPID key pair. The public key is in base64url. */
export type VapidKeys = { privateKey: KeyObject; publicKey: string };
export type Answer = { status: number; headers: Record<string, unknown>; body: string };
export type Message = { path: string; method?: string; headers: OutgoingHttpHeaders; body: Buffer };

export function generateVapidKeys(): VapidKeys {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
  return { privateKey, publicKey: point.toString("base64url") };
}

/** Returns an Authorization header with these claims and JOSE header. */
export function authorize(keys: VapidKeys, claims: object, header: object = { typ: "JWT", alg: "ES256" }): string {
  const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  const signature = sign("sha256", Buffer.from(signed), { key: keys.privateKey, dsaEncoding: "ieee-p1363" });
  return `vapid t=${signed}.${signature.toString("base64url")}, k=${keys.publicKey}`;
}

/** Returns claims that a push service of this origin accepts. */
export function validClaims(origin: string): { aud: string; exp: number; sub: string } {
  return { aud: origin, exp: Math.floor(Date.now() / 1000) + 3600, sub: "mailto:push@example.org" };
}

export function encryptFor(subscription: Subscription, payload: unknown, rs = 4096): Buffer {
  const privateKey = createECDH("prime256v1");
  privateKey.generateKeys();
  const { p256dh: dh, auth: authSecret } = subscription.keys;
  const params = { version: "aes128gcm", privateKey, dh, authSecret, rs } as const;
  return encrypt(Buffer.from(JSON.stringify(payload)), params);
}

/** Returns a message that passes all checks. */
export function validMessage(
  service: Pick<PushService, "origin">,
  subscription: Subscription,
  keys: VapidKeys,
  payload: unknown,
): Message {
  const authorization = authorize(keys, validClaims(service.origin));
  return {
    path: new URL(subscription.endpoint).pathname,
    headers: { authorization, ttl: "3600", topic: "run1", urgency: "high", "content-encoding": "aes128gcm" },
    body: encryptFor(subscription, payload),
  };
}

export async function openSession(service: PushService): Promise<ClientHttp2Session> {
  const session = connect(service.origin, { ca: service.caCertificate });
  session.on("error", () => {});
  // The test does not wait for "connect", because the client connects a moment before the server has the session.
  await once(session, "remoteSettings");
  return session;
}

/** Posts over HTTP/2. Rejects with the stream's error when the answer is incomplete. */
export async function postOver(session: ClientHttp2Session, message: Message): Promise<Answer> {
  const { method = "POST", path, headers, body } = message;
  const stream = session.request({ ...headers, ":method": method, ":path": path });
  let status = 0;
  let answered: Record<string, unknown> = {};
  stream.on("response", (head) => {
    status = Number(head[":status"]);
    answered = head;
  });
  stream.end(body);
  const text = Buffer.concat(await stream.toArray()).toString();
  if (status === 0) throw Object.assign(new Error("closed without an answer"), { code: `RST_${stream.rstCode}` });
  return { status, headers: answered, body: text };
}

/** Posts over HTTP/1.1 on a new connection. */
export function postHttp1(service: Pick<PushService, "origin" | "caCertificate">, message: Message): Promise<Answer> {
  const { method = "POST", path, headers, body } = message;
  return new Promise((resolve, reject) => {
    const options = { ca: service.caCertificate, method, headers, agent: false };
    const request = httpsRequest(new URL(path, service.origin), options, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString();
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
    });
    request.on("error", reject);
    request.end(body);
  });
}

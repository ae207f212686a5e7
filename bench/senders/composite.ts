import { Pool } from "undici";
import webPush from "web-push";
import { plaintextBytes } from "../message.ts";
import { eachOf, type Sender, type SenderOptions } from "./sender.ts";

/** The number of HTTP/1.1 connections. undici's HTTP/2 costs several times as much. */
const connections = 50;

/**
 * A sender that a careful developer builds from npm packages: the encryption of web-push, its VAPID header cached per
 * origin instead of signed per message, and undici instead of node:https.
 */
export function createComposite({ subscriptions, inFlight }: SenderOptions): Sender {
  const vapid = webPush.generateVAPIDKeys();
  const payload = "x".repeat(plaintextBytes);
  const services = new Map<string, { pool: Pool; headers: Record<string, string> }>();

  function serviceAt(origin: string) {
    const known = services.get(origin);
    if (known !== undefined) return known;
    const { publicKey, privateKey } = vapid;
    const signed = webPush.getVapidHeaders(origin, "mailto:bench@example.org", publicKey, privateKey, "aes128gcm");
    const headers = {
      authorization: signed.Authorization,
      ttl: "3600",
      urgency: "normal",
      "content-encoding": "aes128gcm",
      "content-type": "application/octet-stream",
    };
    const service = {
      pool: new Pool(origin, { connections: Math.max(connections, inFlight / 2), allowH2: false }),
      headers,
    };
    services.set(origin, service);
    return service;
  }

  return {
    sendAll: () =>
      eachOf(subscriptions, inFlight, async ({ endpoint, keys }) => {
        const { origin, pathname } = new URL(endpoint);
        const { pool, headers } = serviceAt(origin);
        const { cipherText } = webPush.encrypt(keys.p256dh, keys.auth, payload, "aes128gcm");
        const { statusCode, body } = await pool.request({ path: pathname, method: "POST", headers, body: cipherText });
        await body.dump();
        if (statusCode !== 201) throw new Error(`the composite was answered ${statusCode}`);
      }),
  };
}

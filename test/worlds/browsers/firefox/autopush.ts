import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import type { PushService } from "../../push-service/push-service.ts";
import type { Handed, Receiver } from "../../push-service/receivers.ts";

/** Mozilla's side of one Firefox: the WebSocket on which it registers subscriptions and gets its messages. */
export type Autopush = { url: string; close(): Promise<void> };

/** What Firefox says (PushServiceWebSocket.sys.mjs of Firefox 140). */
type Said = { messageType?: string; channelID?: string; key?: string; updates?: { version: string }[] };

type World = {
  pushService: PushService;
  uaid: string;
  subscriptions: Map<string, Receiver>;
  /** Messages that Firefox has not acknowledged yet, by version: sent again when it comes back. */
  waiting: Map<string, object>;
  socket: WebSocket | undefined;
};

/** Starts the autopush of one Firefox, whose endpoints are the simulator's. */
export async function startAutopush(pushService: PushService): Promise<Autopush> {
  const world: World = {
    pushService,
    uaid: randomUUID().replaceAll("-", ""),
    subscriptions: new Map(),
    waiting: new Map(),
    socket: undefined,
  };
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  server.on("connection", (socket) => {
    world.socket = socket;
    socket.on("message", (frame) => answer(world, socket, JSON.parse(String(frame)) as Said));
  });
  await once(server, "listening");
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      for (const socket of server.clients) socket.terminate();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function answer(world: World, socket: WebSocket, said: Said): void {
  const say = (words: object): void => socket.send(JSON.stringify(words));
  const { messageType, channelID = "" } = said;
  switch (messageType) {
    case "hello":
      say({ messageType, uaid: world.uaid, status: 200, use_webpush: true, broadcasts: {} });
      for (const message of world.waiting.values()) say(message);
      break;
    case "register":
      say({ messageType, channelID, status: 200, pushEndpoint: register(world, said) });
      break;
    case "unregister":
      world.subscriptions.get(channelID)?.leave();
      say({ messageType, channelID, status: 200 });
      break;
    case "ack":
      for (const { version } of said.updates ?? []) world.waiting.delete(version);
      break;
    // A ping is an empty object and wants one back.
    case undefined:
      say({});
  }
}

function register(world: World, { channelID = "", key = "" }: Said): string {
  // Firefox pads base64url.
  const subscription = world.pushService.join(key.replaceAll("=", ""), (message) => hand(world, channelID, message));
  world.subscriptions.set(channelID, subscription);
  return subscription.endpoint;
}

/** Without a version of its own a message would be taken for one that came before. */
function hand(world: World, channelID: string, { body, headers }: Handed): void {
  const version = randomUUID();
  const message = {
    messageType: "notification",
    channelID,
    version,
    ttl: Number(headers.ttl),
    data: body.toString("base64url"),
    headers: { encoding: headers["content-encoding"] },
  };
  world.waiting.set(version, message);
  world.socket?.send(JSON.stringify(message));
}

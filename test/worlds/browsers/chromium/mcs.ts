import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer, type TLSSocket } from "node:tls";
import type { Certificate } from "../../certificate.ts";
import { decode, encode, readVarint, varint } from "./protobuf.ts";

/** Tags of the packets of Google's Mobile Connection Server (components of Chromium: google_apis/gcm/protocol/mcs.proto). */
const tags = { heartbeatPing: 0, heartbeatAck: 1, loginRequest: 2, loginResponse: 3, close: 4, dataMessage: 8 };

/** Precedes the first packet of each side. */
const version = 41;

/** A message for one subscription of the browser. */
export type DataMessage = {
  subtype: string;
  sender: string;
  contentEncoding: string;
  ttlSeconds: number;
  body: Buffer;
};

/** The connection on which Chromium waits for its messages. */
export type Mcs = {
  port: number;
  /** Sends now, or once Chromium has logged in. */
  send(message: DataMessage): void;
  close(): Promise<void>;
};

type World = { socket: TLSSocket | undefined; waiting: Buffer[]; sent: number };

/** Starts a connection server for one Chromium. */
export async function startMcs(certificate: Certificate): Promise<Mcs> {
  const world: World = { socket: undefined, waiting: [], sent: 0 };
  const sockets = new Set<TLSSocket>();
  const server = createServer(certificate, (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      if (world.socket === socket) world.socket = undefined;
    });
    socket.write(Buffer.from([version]));
    onPacket(socket, (tag, body) => answer(world, socket, tag, body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    send(message) {
      const bytes = packet(tags.dataMessage, stanza(message, ++world.sent));
      if (world.socket) world.socket.write(bytes);
      else world.waiting.push(bytes);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

function answer(world: World, socket: TLSSocket, tag: number, body: Buffer): void {
  if (tag === tags.heartbeatPing) socket.write(packet(tags.heartbeatAck, Buffer.alloc(0)));
  if (tag !== tags.loginRequest) return;
  const id = decode(body).find(({ number }) => number === 1)!.value as Buffer;
  socket.write(
    packet(
      tags.loginResponse,
      encode([
        [1, id],
        [6, 1],
        [8, Date.now()],
      ]),
    ),
  );
  world.socket = socket;
  for (const bytes of world.waiting.splice(0)) socket.write(bytes);
}

function stanza({ subtype, sender, contentEncoding, ttlSeconds, body }: DataMessage, count: number): Buffer {
  const appData = (key: string, value: string): [number, Buffer] => [
    7,
    encode([
      [1, key],
      [2, value],
    ]),
  ];
  return encode([
    [2, `message-${count}`],
    [3, sender],
    [5, "org.chromium.linux"],
    appData("subtype", subtype),
    appData("content-encoding", contentEncoding),
    [9, `persistent-${count}`],
    [17, ttlSeconds],
    [18, Date.now()],
    [21, body],
    [24, 1],
  ]);
}

function packet(tag: number, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag]), varint(body.length), body]);
}

function onPacket(socket: TLSSocket, take: (tag: number, body: Buffer) => void): void {
  let unread = Buffer.alloc(0);
  let greeted = false;
  socket.on("data", (chunk: Buffer) => {
    unread = Buffer.concat([unread, chunk]);
    if (!greeted) unread = unread.subarray(1);
    greeted = true;
    for (;;) {
      const length = readVarint(unread, 1);
      const end = length && length.end + Number(length.value);
      if (length === undefined || end === undefined || unread.length < end) return;
      take(unread[0]!, unread.subarray(length.end, end));
      unread = unread.subarray(end);
    }
  });
}

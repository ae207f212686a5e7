import { once } from "node:events";
import { connect } from "node:net";

/** Firefox's remote control, over raw TCP: packets are `length:JSON`. */
export type Marionette = {
  /** Sends a command and returns its result. Rejects with what Firefox says. */
  command<T>(name: string, parameters?: object): Promise<T>;
  close(): void;
};

type Waiter = { resolve: (value: never) => void; reject: (reason: Error) => void };
type Failure = { error: string; message: string };

/** Connects to Firefox on `port` of this machine and opens a session. */
export async function connectMarionette(port: number): Promise<Marionette> {
  const socket = connect(port, "127.0.0.1");
  const waiters = new Map<number, Waiter>();
  let lastId = 0;
  onPacket(socket, (packet) => {
    // The first packet is a greeting.
    if (!Array.isArray(packet)) return;
    const [, id, failure, result] = packet as [number, number, Failure | null, unknown];
    const waiter = waiters.get(id);
    waiters.delete(id);
    if (failure === null) waiter?.resolve(result as never);
    else waiter?.reject(new Error(`${failure.error}: ${failure.message}`));
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    for (const { reject } of waiters.values()) reject(new Error("Firefox has ended"));
  });
  await once(socket, "connect");
  const marionette: Marionette = {
    command: (name, parameters = {}) =>
      new Promise((resolve, reject) => {
        const id = ++lastId;
        waiters.set(id, { resolve, reject });
        const packet = Buffer.from(JSON.stringify([0, id, name, parameters]));
        socket.write(`${packet.length}:${packet}`);
      }),
    close: () => void socket.destroy(),
  };
  await marionette.command("WebDriver:NewSession");
  return marionette;
}

function onPacket(socket: NodeJS.ReadableStream, take: (packet: unknown) => void): void {
  let unread = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    unread = Buffer.concat([unread, chunk]);
    for (;;) {
      const colon = unread.indexOf(":");
      const end = colon + 1 + Number(unread.toString("latin1", 0, Math.max(0, colon)));
      if (colon < 0 || unread.length < end) return;
      const packet = unread.toString("utf8", colon + 1, end);
      unread = unread.subarray(end);
      take(JSON.parse(packet));
    }
  });
}

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterFile } from "../cleanup.ts";

/** The way between browsers and the service, which can be broken: for them that is to be offline. */
export type Road = {
  url: string;
  /** Where it leads, once that is known. */
  leadTo(url: string): void;
  cut(): void;
  mend(): void;
};

/** Opens a road on a free port until the file's last test has ended. */
export async function openRoad(): Promise<Road> {
  let port: number | undefined;
  let isCut = false;
  const travellers = new Set<Socket>();
  const server = createServer((traveller) => {
    if (isCut || port === undefined) return void traveller.resetAndDestroy();
    const onward = connect(port, "127.0.0.1");
    for (const [socket, other] of [
      [traveller, onward],
      [onward, traveller],
    ] as const) {
      travellers.add(socket);
      socket.pipe(other);
      socket.on("error", () => {});
      socket.on("close", () => {
        travellers.delete(socket);
        other.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const breakOff = (): void => {
    for (const traveller of travellers) traveller.destroy();
  };
  afterFile(() => {
    server.close();
    breakOff();
  });
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    leadTo(url) {
      port = Number(new URL(url).port);
    },
    cut() {
      isCut = true;
      breakOff();
    },
    mend() {
      isCut = false;
    },
  };
}

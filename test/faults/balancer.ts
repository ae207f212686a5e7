import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { closeAfterFile } from "../fixtures/cleanup.ts";

export type Balancer = { url: string; close(): Promise<void> };

/** Starts a load balancer without sticky sessions. Each request goes to the next of `urls`, on a new connection. */
export async function startBalancer(urls: string[]): Promise<Balancer> {
  let taken = 0;
  const server = createServer((incoming, answer) => {
    const { hostname, port } = new URL(urls[taken++ % urls.length]!);
    const { method, url: path, headers } = incoming;
    const onward = request({ hostname, port, method, path, headers, agent: false }, (received) => {
      answer.writeHead(received.statusCode!, received.headers);
      received.pipe(answer);
    });
    onward.on("error", () => answer.destroy());
    answer.once("close", () => onward.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: closeAfterFile(async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    }),
  };
}

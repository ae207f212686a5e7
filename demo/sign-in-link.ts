import { randomBytes } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A link that signs in a browser on this machine, once. */
export type SignInLink = { url: string; close(): Promise<void> };

/**
 * Opens the link on a free port of the loopback address. The link signs in like a browser, with `owner`'s password,
 * and passes the session's cookie on. It works because browsers send a cookie of localhost to all ports. `service`:
 * its URL with localhost. The service itself has no such link, so nobody can find one outside a demo.
 */
export async function openSignInLink(service: string, owner: { email: string; password: string }): Promise<SignInLink> {
  const token = randomBytes(16).toString("base64url");
  let isUsed = false;
  const server = createServer((request, response) => {
    // A program that opens links before people do must not use the link up.
    const isOpened = request.method === "GET" && request.url === `/${token}`;
    if (!isOpened) return void refuse(response, 404, "There is no such page.");
    if (isUsed) return void refuse(response, 410, "This link was used already. Start the demo again for another one.");
    isUsed = true;
    signIn(service, owner).then(
      (cookies) => response.writeHead(302, { location: service, "set-cookie": cookies, ...quiet }).end(),
      (error: Error) => refuse(response, 502, error.message),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/${token}`,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

const quiet = { "cache-control": "no-store", "referrer-policy": "no-referrer" };

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", ...quiet }).end(text);
}

async function signIn(service: string, owner: { email: string; password: string }): Promise<string[]> {
  const answer = await fetch(`${service}/dashboard/api/auth/sign-in/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: service },
    body: JSON.stringify(owner),
  });
  if (!answer.ok) throw new Error(`the sign-in answered ${answer.status}: ${await answer.text()}`);
  return answer.headers.getSetCookie();
}

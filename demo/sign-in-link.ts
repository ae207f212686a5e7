import { randomBytes } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A link that signs a browser on this machine in, once. */
export type SignInLink = { url: string; close(): Promise<void> };

/**
 * Opens the link on a free port of loopback. It signs in as any browser does, with `owner`'s password, and hands the
 * session's cookie on: browsers send a cookie of localhost to each of its ports. `service`: its URL with localhost. The
 * service knows no such link, so there is none to find in one that is not a demo.
 */
export async function openSignInLink(service: string, owner: { email: string; password: string }): Promise<SignInLink> {
  const token = randomBytes(16).toString("base64url");
  let isUsed = false;
  const server = createServer((request, response) => {
    // A program that looks at links before people do must not use it up.
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

import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { buildScripts } from "../../sdk/scripts.ts";
import { makeSubscriptions } from "../../worlds/publisher.ts";
import { listen, readTold, type Told } from "./tap.ts";
export const makeVapidKey = (): string => makeSubscriptions(1)[0]!.keys.p256dh;

export type ReaderService = Awaited<ReturnType<typeof startReaderService>>;

export async function startReaderService() {
  const { page, worker } = await buildScripts();
  const siteId = randomUUID();
  const tenantId = randomUUID();
  const told: Told[] = [];
  const topics = [
    { topicId: randomUUID(), name: "Politics" },
    { topicId: randomUUID(), name: "Sports" },
  ];
  const service = {
    base: "",
    siteId,
    tenantId,
    told,
    topics,
    isDown: false,
    vapidPublicKey: makeVapidKey(),
    registered: { topicIds: [] as string[], isTest: false, label: null as string | null },
    refusal: undefined as undefined | { status: number; body: unknown },
    prompt: {
      mode: "off",
      delaySeconds: 0,
      title: "Breaking news as it happens?",
      body: "We can notify you when something important is published. You can turn this off at any time.",
      accept: "Yes, please",
      later: "Not now",
      repeatDays: 30,
      install: "To be notified on this device, add this site to your home screen and open it from there.",
    },
  };
  const origin = await listen("127.0.0.1", async (request, response) => {
    if (service.isDown) return response.socket?.destroy();
    const path = request.url!.replace(/^\/push/, "");
    const cors = { "access-control-allow-origin": request.headers.origin ?? "", vary: "origin" };
    if (request.method === "OPTIONS") {
      response.writeHead(204, {
        ...cors,
        "access-control-allow-headers": "content-type",
        "access-control-allow-methods": "GET, POST",
      });
      return response.end();
    }
    const one = await readTold(request, path);
    told.push(one);
    const json = (status: number, body: unknown) =>
      send(response, status, { ...cors, "content-type": "application/json" }, JSON.stringify(body));
    if (path === "/sdk/pressbell.js") return send(response, 200, { "content-type": "text/javascript" }, page);
    if (path.endsWith("/worker.js")) {
      const { base, vapidPublicKey } = service;
      return send(
        response,
        200,
        { "content-type": "text/javascript" },
        `self.pressbellSite=${JSON.stringify({ base, tenantId, siteId, vapidPublicKey })};\n${worker}`,
      );
    }
    if (path.includes("/config?")) {
      if (!path.includes(siteId)) return json(404, { code: "not_found", message: "There is no such site." });
      const { vapidPublicKey, prompt } = service;
      return json(200, { tenantId, siteId, name: "Example News", vapidPublicKey, topics, prompt, linkMode: "token" });
    }
    if (service.refusal) return json(service.refusal.status, service.refusal.body);
    if (path.endsWith("/subscriptions")) {
      const { topicIds, testToken } = one.body as { topicIds?: string[]; testToken?: string };
      service.registered = {
        ...service.registered,
        ...(topicIds && { topicIds }),
        ...(testToken && { isTest: true, label: "Desk phone" }),
      };
      return json(201, service.registered);
    }
    response.writeHead(204, cors);
    response.end();
  });
  service.base = `${origin}/push`;
  return service;
}

function send(response: ServerResponse, status: number, headers: Record<string, string>, body: string): void {
  response.writeHead(status, headers);
  response.end(body);
}

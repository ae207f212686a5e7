import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { PushService } from "./push-service.ts";

export type Control = { url: string; close(): void };

type Route = (service: PushService, query: URLSearchParams, body: string) => unknown;

/** What another process can ask, by method and path; the answers are JSON. */
const ROUTES: Record<string, Route> = {
  /** Writes `count` subscriptions as NDJSON to `file`; `applicationServerKey` and `lanePath` as in the API. */
  "POST /subscriptions": async (service, query) => {
    const count = countOf(query);
    const file = query.get("file");
    if (!file) throw new RangeError("file is missing");
    const { applicationServerKey, lanePath } = Object.fromEntries(query);
    const options = { ...(applicationServerKey && { applicationServerKey }), ...(lanePath && { lanePath }) };
    await service.writeSubscriptions(count, file, options);
    return { count };
  },
  "GET /stats": (service) => service.stats(),
  /** Each receipt as [subscription index, time, status, accepted, Topic]. */
  "GET /receipts": (service) =>
    [...service.receipts()].map(({ subscriptionIndex, at, status, accepted, topic }) => {
      return [subscriptionIndex, at, status, accepted, topic ?? ""];
    }),
  "GET /sample": (service, query) => service.sample(countOf(query)),
  /** Body: what `answerWith` takes. */
  "POST /behaviour": (service, _query, body) => {
    service.answerWith(JSON.parse(body));
    return { ok: true };
  },
  /** Takes all behaviours back. */
  "DELETE /behaviour": (service) => {
    service.clearBehaviours();
    return { ok: true };
  },
  "POST /reset": (service) => {
    service.reset();
    return { ok: true };
  },
};

/** Serves ROUTES over plain HTTP on 127.0.0.1, without any authentication. Faults are answered 400 {reason}. */
export async function startControl(service: PushService): Promise<Control> {
  const routes = { ...ROUTES, "GET /lag": lagRoute() };
  const server = createServer(async (request, response) => {
    const { status, value } = await run(routes, service, request);
    response.writeHead(status, { "content-type": "application/json" }).end(`${JSON.stringify(value)}\n`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => closeAtOnce(server) };
}

/** The longest stall of this process since it was asked last, in ms: so late a message may have been read. */
function lagRoute(): Route {
  const lag = monitorEventLoopDelay({ resolution: 5 });
  lag.enable();
  return () => {
    const ms = lag.max / 1e6;
    lag.reset();
    return { ms };
  };
}

async function run(
  routes: Record<string, Route>,
  service: PushService,
  request: IncomingMessage,
): Promise<{ status: number; value: unknown }> {
  const url = new URL(request.url ?? "/", "http://control");
  const route = routes[`${request.method} ${url.pathname}`];
  if (!route) return { status: 404, value: { reason: "no such route", routes: Object.keys(routes) } };
  try {
    const body = Buffer.concat(await request.toArray()).toString();
    return { status: 200, value: await route(service, url.searchParams, body) };
  } catch (error) {
    return { status: 400, value: { reason: error instanceof Error ? error.message : String(error) } };
  }
}

function countOf(query: URLSearchParams): number {
  const count = Number(query.get("count"));
  if (!Number.isSafeInteger(count) || count < 1) throw new RangeError("count is not a whole number above 0");
  return count;
}

function closeAtOnce(server: Server): void {
  server.close();
  server.closeAllConnections();
}

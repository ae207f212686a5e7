import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import type { App } from "../src/app.ts";
import type { Config } from "../src/config.ts";
import { payloadBytes } from "../src/runs/payload.ts";
import type { RunMessage } from "../src/runs/run.ts";
import type { Publisher } from "../test/fixtures/publisher.ts";
import { type ServiceProcess, spawnProcess } from "../test/fixtures/spawn-process.ts";
import { type ApiClient, createApiClient } from "./api-client.ts";
import { secretKey } from "./app.ts";
import { message, plaintextBytes } from "./message.ts";

/** A send that was answered. `sentMs`: the time just before the request, by `Date.now`. */
export type Sent = { runId: string; sentMs: number };

/** The service as a user runs it, `pressbell start` or `api`, in its own process. */
export type Service = {
  pid: number;
  url: string;
  api: ApiClient;
  /**
   * Creates a campaign of the publisher, by default of the publisher in the options. Returns a function that sends it.
   */
  prepare(publisher?: Publisher): Promise<() => Promise<Sent>>;
  /** Creates a campaign as `prepare` does, and sends it. */
  send(publisher?: Publisher): Promise<Sent>;
  /** Resolves when the run has ended, with the time of the last outcome. Throws when a message was not accepted. */
  ended(runId: string): Promise<{ endedMs: number; accepted: number }>;
  stop(): Promise<void>;
};

export type ServiceOptions = {
  app: App;
  publisher: Publisher;
  dataDir: string;
  origins: string[];
  caFile: string;
  workers: number | undefined;
  inFlight: number | undefined;
  encryption: Config["ENCRYPTION"];
  /** The folder into which its threads write their CPU profiles when they end. */
  profileDir?: string | undefined;
  /** By default "start". `api` delivers nothing, because workers do. */
  command?: "start" | "api";
};

const pollEveryMs = 50;

export async function startService(options: ServiceOptions): Promise<Service> {
  const { app, publisher, command = "start" } = options;
  const service = spawnProcess([command], settingsOf(options));
  const [, url] = await service.printed(/listens on (http:\/\/[\d.:]+)/);
  if (command === "start") await service.printed(/delivering with/);
  const api = createApiClient(url!, publisher.apiKey);
  const apiOf = (of: Publisher) => (of.apiKey === publisher.apiKey ? api : createApiClient(url!, of.apiKey));
  const prepare = async (of = publisher) => {
    const own = apiOf(of);
    const campaignId = await createCampaign(own, of);
    return async () => {
      const sentMs = Date.now();
      const { runId } = await own.post<{ runId: string }>(`/v1/campaigns/${campaignId}/send`);
      return { runId, sentMs };
    };
  };
  return {
    pid: service.process.pid!,
    url: url!,
    api,
    prepare,
    send: async (of = publisher) => (await prepare(of))(),
    ended: (runId) => ended(app, runId),
    stop: () => stop(service),
  };
}

/** Starts a `pressbell worker` for a service. Resolves when the worker delivers. */
export async function startWorker(options: ServiceOptions): Promise<Pick<Service, "pid" | "stop">> {
  const worker = spawnProcess(["worker"], settingsOf(options));
  await worker.printed(/delivering with/);
  return { pid: worker.process.pid!, stop: () => stop(worker) };
}

async function stop(service: ServiceProcess): Promise<void> {
  service.process.kill("SIGTERM");
  const how = await service.ended;
  if (how !== 0) throw new Error(`a process of the service ended with ${how}:\n${service.output()}`);
}

function settingsOf(options: ServiceOptions): Record<string, string> {
  const { dataDir, origins, caFile, workers, inFlight, encryption, profileDir } = options;
  return {
    PORT: "0",
    DATA_DIR: dataDir,
    SECRET_KEY: secretKey,
    PUSH_SERVICES: origins.join(","),
    NODE_EXTRA_CA_CERTS: caFile,
    RATE_LIMIT_PER_MINUTE: "1000000",
    LOG_LEVEL: "info",
    ENCRYPTION: encryption,
    ...(workers !== undefined && { WORKERS: String(workers) }),
    ...(inFlight !== undefined && { IN_FLIGHT_MAX: String(inFlight) }),
    ...(profileDir !== undefined && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profileDir}` }),
  };
}

/** Creates a draft with the benchmark's message, and further `fields`. Returns its id. */
export async function createCampaign(
  api: ApiClient,
  { tenantId, siteId }: Pick<Publisher, "tenantId" | "siteId">,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const { title, body, url } = message;
  const draft = { siteId, mode: "manual", title, body, url, ...fields };
  return (await api.post<{ campaignId: string }>(`/v1/tenants/${tenantId}/campaigns`, draft)).campaignId;
}

/**
 * Waits for the end of a run. Polls the database instead of the API, because API requests would cost CPU time of the
 * measured service.
 */
async function ended(app: App, runId: string): Promise<{ endedMs: number; accepted: number }> {
  for (;;) {
    const { rows } = await sql<{ status: string; finishedAt: Date; message: RunMessage }>`select status,
        finished_at as "finishedAt", m.message
      from runs r join run_messages m on m.site_id = r.site_id and m.run_id = r.id and m.no = 0 where r.id = ${runId}`.execute(
      app.db,
    );
    const { status, finishedAt, message: sent } = rows[0]!;
    if (status === "completed") {
      if (payloadBytes(sent) !== plaintextBytes) throw new Error(`the payload has ${payloadBytes(sent)} bytes`);
      return { endedMs: finishedAt.getTime(), accepted: await acceptedOf(app, runId) };
    }
    if (status !== "queued" && status !== "sending") throw new Error(`the run is ${status}`);
    await delay(pollEveryMs);
  }
}

async function acceptedOf(app: App, runId: string): Promise<number> {
  const { rows } = await sql<{
    accepted: number;
    size: number;
  }>`select sum(accepted)::int as accepted, sum(size)::int as size
    from run_batches where run_id = ${runId}`.execute(app.db);
  const { accepted, size } = rows[0]!;
  if (accepted !== size) throw new Error(`${size - accepted} of ${size} messages were not accepted`);
  return accepted;
}

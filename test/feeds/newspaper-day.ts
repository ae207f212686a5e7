import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { App } from "../../src/app.ts";
import { openTestApp, settingsOf } from "../fixtures/app.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { type FeedServer, startFeedServer } from "../fixtures/feed-server.ts";
import { createPublisher, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { type PushService, startPushService } from "../fixtures/push-service/push-service.ts";

/**
 * A feed server, a publisher with subscribers, and settings for processes. The subscribers' push service checks each
 * message.
 */
export type NewspaperDay = {
  app: App;
  server: FeedServer;
  publisher: Publisher;
  pushService: PushService;
  /** The settings with which a process of the service uses the same database and servers. */
  settings: Record<string, string>;
};

export const readers = 5;

export async function openNewspaperDay(): Promise<NewspaperDay> {
  const server = await startFeedServer();
  const pushService = await startPushService({ keepBodies: "all" });
  const folder = await mkdtemp(join(tmpdir(), "pressbell-feeds-"));
  afterFile(() => rm(folder, { recursive: true }));
  const caFile = join(folder, "ca.pem");
  await writeFile(caFile, `${pushService.caCertificate}\n${server.certificate}`);
  const own = { ALLOW_HOSTS: server.allowHost, PUSH_SERVICES: pushService.origin };
  const app = await openTestApp(own);
  const publisher = await createPublisher(app, { siteUrl: server.origin });
  const { siteId, vapidPublicKey: applicationServerKey } = publisher;
  await subscribe(app, siteId, pushService.createSubscriptions(readers, { applicationServerKey }));
  const settings = { ...settingsOf(app), ...own, NODE_EXTRA_CA_CERTS: caFile, WORKERS: "1", LOG_LEVEL: "info" };
  return { app, server, publisher, pushService, settings };
}

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createClient } from "../client/client.ts";
import { openJournal } from "./journal.ts";
import { startQueue } from "./queue.ts";
import { createReceiver } from "./receiver.ts";
import { sendPost } from "./send-post.ts";
import { readSettings } from "./settings.ts";

/** `pressbell-bridge`: takes webhooks of a CMS until SIGTERM or SIGINT. docs/bridge.md has its settings. */

const log = (line: string) => process.stdout.write(`${new Date().toISOString()} ${line}\n`);

async function start(): Promise<void> {
  const settings = readSettings(process.env);
  const client = createClient(settings);
  const journal = await openJournal(settings.journalFile);
  const queue = startQueue(journal, (job, signal) => sendPost(client, settings.siteId, job, signal), {
    giveUpMs: settings.giveUpMs,
    log,
  });
  const receiver = createReceiver(settings, settings.mapping, journal, queue).listen(settings.port, settings.host);
  await once(receiver, "listening");
  log(`listens on http://${settings.host}:${(receiver.address() as AddressInfo).port}`);
  const stop = async () => {
    receiver.close();
    receiver.closeAllConnections();
    await queue.stop();
    await journal.close();
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, stop);
}

start().catch((error: Error) => {
  process.stderr.write(`The bridge does not start.\n${error.message}\n`);
  process.exit(1);
});

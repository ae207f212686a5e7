import { readFile } from "node:fs/promises";
import { createComposite } from "./composite.ts";
import { createDelivery } from "./delivery.ts";
import type { Sender, SenderOptions } from "./sender.ts";
import { createWebPush } from "./web-push.ts";

/*
 * A sender in its own process: `node main.ts NAME OPTIONS` (JSON). Posts "ready" when it has loaded the subscriptions.
 * For each message from its parent it sends to all of them, and posts "done" after the last answer. Exits with its
 * parent.
 */
const senders: Record<string, (options: SenderOptions) => Sender | Promise<Sender>> = {
  delivery: createDelivery,
  "web-push": createWebPush,
  composite: createComposite,
};

const [name, json] = process.argv.slice(2);
const { file, count, ...options } = JSON.parse(json!) as { file: string; count: number } & Omit<
  SenderOptions,
  "subscriptions"
>;
const lines = (await readFile(file, "utf8")).split("\n", count);
const sender = await senders[name!]!({ subscriptions: lines.map((line) => JSON.parse(line)), ...options });
process.on("disconnect", () => process.exit(0));
process.on("message", async () => {
  await sender.sendAll();
  process.send!("done");
});
process.send!("ready");

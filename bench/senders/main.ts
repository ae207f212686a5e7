import { readFile } from "node:fs/promises";
import { createComposite } from "./composite.ts";
import { createDelivery } from "./delivery.ts";
import type { Sender, SenderOptions } from "./sender.ts";
import { createWebPush } from "./web-push.ts";

/*
 * A sender in a process of its own: `node main.ts NAME OPTIONS` (JSON). Says "ready" when it holds the subscriptions;
 * sends them all at each "go" and says "done" when the last answer has come. It ends with its parent.
 */
const senders: Record<string, (options: SenderOptions) => Sender | Promise<Sender>> = {
  delivery: createDelivery,
  "web-push": createWebPush,
  composite: createComposite,
};

const [name, json] = process.argv.slice(2);
const { file, count, ...how } = JSON.parse(json!) as { file: string; count: number } & Omit<
  SenderOptions,
  "subscriptions"
>;
const lines = (await readFile(file, "utf8")).split("\n", count);
const sender = await senders[name!]!({ subscriptions: lines.map((line) => JSON.parse(line)), ...how });
process.on("disconnect", () => process.exit(0));
process.on("message", async () => {
  await sender.sendAll();
  process.send!("done");
});
process.send!("ready");

import webPush from "web-push";
import { plaintextBytes } from "../message.ts";
import { eachOf, type Sender, type SenderOptions } from "./sender.ts";

/** npm web-push as its README uses it: `setVapidDetails` once, `sendNotification` for each subscription. */
export function createWebPush({ subscriptions, inFlight }: SenderOptions): Sender {
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  webPush.setVapidDetails("mailto:bench@example.org", publicKey, privateKey);
  const payload = "x".repeat(plaintextBytes);
  return {
    sendAll: () =>
      eachOf(subscriptions, inFlight, async (subscription) => {
        const { statusCode } = await webPush.sendNotification(subscription, payload, { TTL: 3_600 });
        if (statusCode !== 201) throw new Error(`web-push was answered ${statusCode}`);
      }),
  };
}

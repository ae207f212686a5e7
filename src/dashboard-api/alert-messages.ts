import { type FinalCode, finalCodes, rateLimitAdvice } from "../runs/ledger/codes.ts";

/**
 * The overview's texts for the conditions that need attention. Each says what to do. dashboard/src/words/de/said.ts
 * has the translations.
 */
export const alertMessages = {
  dpaRequired: "Nothing can be sent yet: an owner has to accept the data processing agreement in the settings.",
  tenantPaused: "All sends are paused. An owner can lift the pause in the settings.",
  sitePaused: "Sends of this site are paused. Lift the pause in its settings.",
  /** `day`: YYYY-MM-DD. */
  keyInBrowser: (name: string, prefix: string, day: string) =>
    `The API key “${name}” (${prefix}…) was seen in a web page on ${day}, where everybody can read it. Create a new one for your server, then delete this one.`,
  feedAsks: (name: string) =>
    `The feed “${name}” brought very many items at once, and sends nothing. Choose under Feeds what to do with them.`,
  registrationsLimited: (quota: number) =>
    `More than ${quota.toLocaleString("en")} new readers came within an hour, and further ones were refused. If you did not just ask many readers to subscribe, an owner can delete the false ones under Subscribers.`,
  pushServiceBlocked: (pushService: string, reason: string) =>
    `${nameOfPushService(pushService)} accepts no messages from us for now (${reason}). They wait, and sending continues by itself.`,
  pushServiceRefuses: (pushService: string, n: number, code: FinalCode) =>
    `${nameOfPushService(pushService)} refused ${n.toLocaleString("en")} messages in the last 24 hours. ${finalCodes[code].message}`,
  pushServiceLimits: (pushService: string) =>
    `${nameOfPushService(pushService)} took only so many messages a minute from this site in the last 24 hours. ${rateLimitAdvice}`,
  androidClicksFell: (title: string) =>
    `On Android far fewer readers than usual clicked “${title}”, while the others clicked as always: Chrome may hide notifications of this site there, as it does with what it takes for spam. What helps: fewer notifications, and titles that say what the story says.`,
  lateOnScreen: (goalSeconds: number) =>
    `Fewer than 9 in 10 of the notifications that readers saw in the last 7 days were on the screen within ${goalSeconds.toLocaleString("en")} seconds, your goal. The page of each notification says how long it took. If even half of them were late, ask your operator to check the delivery. If only the last were late, they waited for devices that were off: let notifications expire earlier, or change the goal in the settings.`,
};

const pushServiceNames: Record<string, string> = {
  fcm: "Google (Chrome, Edge on Android, Opera)",
  mozilla: "Mozilla (Firefox)",
  apple: "Apple (Safari)",
  wns: "Microsoft (Edge on Windows)",
};

/** Returns the product name of a push service, or its origin if it has no product name here. */
function nameOfPushService(pushService: string): string {
  return pushServiceNames[pushService] ?? pushService;
}

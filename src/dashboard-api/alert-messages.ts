import { defineMessages } from "../messages.ts";
import type { ReputationWarning } from "../receipts/sender-reputation.ts";
import { rateLimitAdvice } from "../runs/messages.ts";

/** The overview's texts for the conditions that need attention. Each says what to do. `day`: YYYY-MM-DD. */
export const alertTexts = {
  alert_dpa_required: "Nothing can be sent yet: an owner has to accept the data processing agreement in the settings.",
  alert_tenant_paused: "All sends are paused. An owner can lift the pause in the settings.",
  alert_site_paused: "Sends of this site are paused. Lift the pause in its settings.",
  key_in_browser:
    "The API key “{name}” ({prefix}…) was seen in a web page on {day}, where everybody can read it. Create a new one for your server, then delete this one.",
  feed_asks:
    "The feed “{name}” brought very many items at once, and sends nothing. Choose under Feeds what to do with them.",
  registrations_limited:
    "More than {quota, number} new readers came within an hour, and further ones were refused. If you did not just ask many readers to subscribe, an owner can delete the false ones under Subscribers.",
  push_service_blocked:
    "{pushService} accepts no messages from us for now ({reason}). They wait, and sending continues by itself.",
  push_service_refuses: "{pushService} refused {n, number} messages in the last 24 hours. {cause}",
  push_service_limits: `{pushService} took only so many messages a minute from this site in the last 24 hours. ${rateLimitAdvice}`,
  android_clicks_fell:
    "On Android far fewer readers than usual clicked “{title}”, while the others clicked as always: Chrome may hide notifications of this site there, as it does with what it takes for spam. What helps: fewer notifications, and titles that say what the story says.",
  late_on_screen:
    "Fewer than 9 in 10 of the notifications that readers saw in the last 7 days were on the screen within {goalSeconds, number} seconds, your goal. The page of each notification says how long it took. If even half of them were late, ask your operator to check the delivery. If only the last were late, they waited for devices that were off: let notifications expire earlier, or change the goal in the settings.",
} as const;

export const alertMessages = defineMessages(alertTexts);

const pushServiceNames: Record<string, string> = {
  fcm: "Google (Chrome, Edge on Android, Opera)",
  mozilla: "Mozilla (Firefox)",
  apple: "Apple (Safari)",
  wns: "Microsoft (Edge on Windows)",
};

/** Returns the product name of a push service, or its origin if it has no product name here. */
export function nameOfPushService(pushService: string): string {
  return pushServiceNames[pushService] ?? pushService;
}

/** The overview's text for each warning about the site's reputation. Each says what to do. */
export const reputationTexts = {
  few_clicks:
    "Fewer than 1 in 100 notifications that readers saw in the last 7 days were clicked. Browsers take notifications that readers pass over for noise, and limit the site. Send fewer, and let readers choose topics.",
  many_dismissals:
    "More than 3 in 10 notifications that readers saw in the last 7 days were dismissed. Browsers limit sites whose notifications are dismissed. Send fewer, and let readers choose topics.",
  many_leave:
    "More than 3 in 100 readers left in the last 7 days. Browsers withdraw the permission of sites that readers leave. Send fewer notifications, and ask for permission only after a click.",
  many_nudges:
    "Readers got more than 10 notifications a day in the last 7 days. Browsers limit sites that send much and are visited little. Send fewer, and let readers choose topics.",
  many_prompts:
    "More than half of the visits of the last 7 days saw the prompt. Browsers limit sites that ask much. Let it come later, rest longer, or only after a click.",
  many_denials:
    "More than 4 in 10 readers that the browser asked in the last 7 days said no. Browsers then ask for the site without being seen. Say in the prompt what readers get, or ask only after a click.",
} as const satisfies Record<ReputationWarning, string>;

export const reputationMessages = defineMessages(reputationTexts);

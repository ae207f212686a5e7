import { defineMessages } from "../messages.ts";

const pastWhere = "It is past {time} already where clocks are at UTC{offset} or ahead of that";

/** Why a planned send did not begin, or may not go as planned. */
export const sendTexts = {
  send_missed: "It was due more than {graceMinutes} minutes before the service could send it.",
  paused_too_long: "Sends were paused for more than {graceMinutes} minutes.",
  audience_grown:
    "It would have gone to more people than one person may decide on: they were fewer when it was scheduled. Ask for a second person's yes.",
  plan_gone: 'PLANS names no plan "{plan}" any more. An operator has to put the tenant on one that it names.',
  pause_will_delay_site:
    "Sends of this site are paused. Once due, the campaign is delayed at most {graceMinutes} minutes.",
  pause_will_delay_tenant:
    "Sends of this tenant are paused. Once due, the campaign is delayed at most {graceMinutes} minutes.",
  will_fail: "{cause} As things stand, the campaign fails when it is due.",
  far_ahead: "The time is more than a year ahead. Is that meant?",
  hour_passed: `${pastWhere}. These readers get it at once.`,
  hour_passed_here: `${pastWhere}, and so it is for readers whose zone is not known, who count as being in {timeZone}. These readers get it at once.`,
} as const;

export const sendMessages = defineMessages(sendTexts);

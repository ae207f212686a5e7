import { defineMessages, type Message } from "../messages.ts";
import { type FinalCode, finalCodes } from "./ledger/codes.ts";

/** The advice for sites that a push service limits. */
export const rateLimitAdvice =
  "Chrome's does so with sites that readers find disturbing, for 1, then 7, then 14 days. What helps: fewer notifications, topics to choose from, and a permission prompt only after a click.";

/** Explains each final code by its reason, with the cure. */
export const outcomeTexts = {
  outcome_accepted: "Taken by the push service.",
  outcome_not_found: "The push service no longer knows the subscription. It was removed.",
  outcome_gone: "The reader unsubscribed in the browser. The subscription was removed.",
  outcome_unsubscribed: "The reader left after the send and was not notified.",
  outcome_internal: "A fault of Pressbell. Report it with the run's id.",
  outcome_bad_request: "The push service refuses the request as malformed.",
  outcome_payload_too_large: "The push service takes no message of this size. Shorten the text.",
  outcome_unauthorized: "The push service refuses our signature. Check VAPID_SUBJECT and the clock.",
  outcome_forbidden: "The subscription belongs to another VAPID key: was the site's key changed?",
  outcome_redirected: "The push service redirects, which is never followed.",
  outcome_refused: "The push service refuses for another reason.",
  outcome_origin_not_allowed: "The push service is no longer listed in PUSH_SERVICES.",
  outcome_invalid_key: "The subscription's key is not a point on P-256.",
  outcome_dropped: "The push service took it and threw it away: the reader has switched notifications off.",
  outcome_ttl: "The time to live ended before the push service took it.",
  outcome_wait_too_long: "The push service accepts nothing for this reader before the time to live ends.",
  outcome_rate_limited: `The time to live ended while the push service took only so many messages from this site. ${rateLimitAdvice}`,
  outcome_stopped: "The run was stopped first.",
  outcome_muted: "The reader has muted this story.",
  outcome_reader_quiet: "These are the reader's own quiet hours. It comes in their digest, if they want one.",
  outcome_frequency_cap: "The reader wants no further notifications today. It comes in their digest, if they want one.",
  outcome_not_replaced:
    "The browser shows an update beside the notification instead of in its place, so none is sent there.",
  outcome_closed: "The reader has closed or opened the notification, so an update would bring it back.",
  outcome_already_sent:
    "The browser registered again during the send and got the notification through its other registration.",
  outcome_class_cap:
    "The site sends a reader no more of this class in an hour, a day or a week. It comes in their digest, if they want one.",
  outcome_held_out:
    "The site leaves the reader out of this class for up to four weeks, to measure what its notifications win.",
  outcome_uncertain: "Perhaps taken: its sender died or the connection broke, and it was not sent again.",
} as const satisfies Record<`outcome_${(typeof finalCodes)[FinalCode]["reason"]}`, string>;

const outcomes = defineMessages(outcomeTexts);

/** Returns the explanation of a final code. */
export const messageOfCode = (code: FinalCode): Message => outcomes[`outcome_${finalCodes[code].reason}`]();

/** Why part of a run is pending or was not planned, and what a test says of a device. `until`: ISO 8601. */
export const runTexts = {
  not_planned:
    "The audience could not be read to its end, as the database failed or was too slow again and again. These readers were not notified. Report it with the run's id.",
  waiting_unauthorized:
    "The push service refuses our signature, so nothing is sent there for minutes at a time. Check VAPID_SUBJECT and the clock.",
  waiting_forbidden:
    "The push service refuses the site's VAPID key, so nothing is sent there for minutes at a time. Was the key changed?",
  waiting_throttled:
    "The push service asks us to wait until {until}. It is tried again then; what the time to live ends before that expires.",
  waiting_rate_limited: `The push service takes only so many messages a minute from this site, and asks us to wait until {until}. What the time to live ends before that expires. ${rateLimitAdvice}`,
  waiting_retrying:
    "The push service fails, is silent, or takes no more for these readers just now. It is tried again until the time to live ends.",
  device_skipped: "This device was skipped by the test, though it is still subscribed. Test again.",
  device_not_taken_up: "No worker has taken it up yet. Is one running?",
  device_not_answered:
    "Not delivered yet: the push service has not answered, or asks to wait. The run tells how it ends.",
} as const;

export const runMessages = defineMessages(runTexts);

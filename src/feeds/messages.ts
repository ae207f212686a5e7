import { errorRegistry } from "../errors.ts";
import { defineMessages } from "../messages.ts";

const stateTexts = {
  feed_unreachable: "The feed could not be reached at a public https address. Check the address and its redirects.",
  feed_timeout: "The feed's server did not answer in time.",
  feed_certificate: "The certificate of the feed's server is not valid.",
  feed_broken_answer: "The feed's server answers with broken HTTP.",
  feed_status: "The feed's server answers with HTTP status {status} instead of 200.",
  feed_gone: "The feed's server says that the feed is gone for good (HTTP status 410). Look for its new address.",
  feed_fault: "A fault of Pressbell: what the feed brought could not be stored. The log has it under the feed's id.",
  feed_not_found: "There is no feed at this address: neither RSS nor Atom nor JSON Feed.",
  feed_override:
    "The override is on: what the content decision rejects goes out too, in quiet hours and over the site's limits. Only this feed's own limits hold.",
  many_new_items:
    "{items} new items came at once, and none was sent. Say what becomes of them: skip them, or send them (as far as the limits allow).",
  undated_items:
    "{items, plural, one {# item was not sent: neither the feed nor its page says when it was published. Say what becomes of it: skip or send (as far as the limits allow).} other {# items were not sent: neither the feed nor their pages say when it was published. Say what becomes of them: skip or send (as far as the limits allow).}}",
} as const;

/** Why a feed is read at its times, as parts of a sentence. */
const pollTexts = {
  poll_retry_after: "its server asks to wait (Retry-After)",
  poll_failed: "the last poll failed",
  polls_failed: "the last {failures} polls failed",
  poll_cache_control: "its Cache-Control asks for it",
  poll_ttl: "its ttl asks for it",
  poll_lively: "it is lively",
  poll_quiet_day: "nothing new came for a day",
  poll_quiet_week: "nothing new came for a week",
  poll_hub: "its hub tells of what is new",
  poll_owner: "an owner has set it",
} as const;

const itemTexts = {
  item_feed_gone: "The feed's server says that the feed is gone, and it was switched off.",
  item_feed_off: "The feed was switched off before this went out.",
  item_owner_skipped: "It came with very many others, and the owner chose to skip them.",
  item_during_removal: "The site was removed when this was to go out. Send it by hand if it is still news.",
  item_during_restore:
    "It may have gone out after the backup from which Pressbell was restored. Send it by hand if it has not.",
  item_no_link: "The item has no link to a page. Add one to the feed.",
  item_no_topic:
    "The feed's rules have no topic for its categories ({categories}). Add one, or send such items to everyone.",
  item_no_categories: "none",
  item_foreign_host:
    "It leads to {host}, which is neither of this site ({site}) nor allowed. An owner can allow it in the feed's settings.",
  item_embargo:
    "The feed dates the item {date}, in the future. It is checked then. If it is out already, correct the zone of the feed's dates.",
  item_too_old: "The feed dates the item {date}, older than {hours} hours.",
  item_waited: "It waited until it was older than {hours} hours. {why}",
  feed_sent_hour:
    "The feed has sent {n} notifications within the hour, and its limit is {limit}. Raise the limit if readers want more.",
  feed_suggested_hour:
    "The feed has suggested {n} notifications within the hour, and its limit is {limit}. Raise the limit if editors want more.",
  feed_sent_day:
    "The feed has sent {n} notifications within 24 hours, and its limit is {limit}. Raise the limit if readers want more.",
  feed_suggested_day:
    "The feed has suggested {n} notifications within 24 hours, and its limit is {limit}. Raise the limit if editors want more.",
  item_site_paused: "Sends of this site are paused. Lift the pause, so that stories go out.",
  item_tenant_paused: "Sends of this publisher are paused. Lift the pause, so that stories go out.",
  item_service_busy: "Too much was to be done at this moment. It is tried again by itself.",
  item_campaign_changed: "Its campaign was changed at this moment. It is looked at again by itself.",
  item_invalid: "What it brings cannot be a notification. Correct it in the feed, or on its page:",
  item_site_removed: errorRegistry.site_removed.message,
  item_no_agreement: errorRegistry.dpa_required.message,
  item_beyond_plan: errorRegistry.billing.message,
  item_class_limit: errorRegistry.class_limit.message,
  item_url_not_allowed: errorRegistry.url_not_allowed.message,
  item_refused: "{why}",
  item_with_faults: "{why} {faults}",
  item_campaign_edited: "Its campaign was changed already, and is left as it is.",
  item_campaign_left: "Its campaign is {status} already, and is left as it is.",
  item_address_known: "A feed of this site has brought this story already, by its address: {address}, sent at {date}.",
  item_title_known: "A feed of this site has brought this story already, by its title: {address}, sent at {date}.",
  item_reasons: "{one} {other}",
  item_fault: "A fault of Pressbell. It is tried again by itself; the log has it under the item's id.",
  item_page_unreadable: "Its page could not be read. Check that the page is public.",
} as const;

/** The English texts of feeds, by code. The dashboard has them in other languages. */
export const feedTexts = { ...stateTexts, ...pollTexts, ...itemTexts };

export const feedMessages = defineMessages(feedTexts);

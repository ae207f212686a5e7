import type { FieldFault } from "./errors.ts";
import { defineMessages, type Message } from "./messages.ts";

/** Every fault of a field. A sentence continues the name of its field: "title is required". */
export const faults = defineMessages({
  // For any field.
  invalid: "{reason}",
  required: "is required",
  empty: "must not be empty",
  wrong_type: "must be {type}",
  not_a_choice: "must be {choices}",
  unknown_field: "is not a field of this request",
  given_twice: "must be given once",
  not_a_cursor: "must be the nextCursor of an earlier page",
  not_an_id: "must be the id of a {what}",
  too_deep: "is nested too deeply",
  not_storable: "holds a value that cannot be stored",
  not_storable_text: "must not contain NUL or half a surrogate pair",
  no_body_expected: "this request takes no body, or {body}",
  not_json: "must be JSON",

  // Texts.
  too_short: "must have at least {least, number} characters",
  too_long: "must have at most {most, number} characters",
  too_long_by: "must have at most {most, number} characters, and has {length}",
  search_too_long: "must be a text of at most {most, number} characters",
  control_characters: "must not contain control characters",
  not_an_email: "must be an e-mail address",
  not_a_language: "must be a language such as de or pt-BR",
  not_a_language_tag: 'must be a language tag such as de or pt-BR, or "" for the article\'s',
  not_a_segment_language: "must be languages such as de, without a region",
  not_utm: "must be 1 to 64 letters, digits, . _ ~ or -",

  // Numbers and lists.
  out_of_range: "must be a whole number from {least, number} to {most, number}",
  not_positive: "must be a whole number from 1",
  too_small: "must be at least {least, number}",
  too_large: "must be at most {most, number}",
  too_many_seconds: "must be at most {most, number} (28 days)",
  too_many_minutes: "must be at most {most, number} (a day)",
  too_many_variants: "must be at most {most, number}: the campaign's own is one more",
  too_many_topics: "must have at most {most, number} topics",
  too_many_offered_topics: "must be at most {most, number} topics",
  too_many_hosts: "must have at most {most, number} hosts",
  too_many_rules: "must have at most {most, number} rules",
  too_many_roles: "must have at most {most, number} roles",
  too_many_columns: "must have at most {most, number} columns",
  too_many_languages: "must be at most {most, number} languages",
  too_many_time_zones: "must be at most {most, number} time zones",
  too_many_paths: "must be at most {most, number} paths",
  too_many_facts: "must be at most {most, number} facts",
  too_many_values: "must be at most {most, number} values",

  // Times.
  not_a_time: "must be an RFC 3339 time such as 2027-03-01T10:00:00Z",
  not_an_iso_time: "must be an ISO 8601 time with an offset, {example}",
  not_a_time_with_offset: "must be a time with an offset such as {example}",
  not_a_date: "must be a date such as {example}",
  not_a_real_date: "must be a real date, {example}",
  not_a_real_time: "must be a real time of day, 00:00:00 to 23:59:59, {example}",
  not_a_time_of_day: "must be HH:MM",
  not_a_month: "must be one of the months from 2000-01 on",
  not_a_time_zone: "must be the name of an IANA time zone such as {example}",
  offset_too_large: "must have an offset of at most 14:00, {example}",
  date_too_late: "must be before the year 9999",
  time_too_late: "must be before the year 10000, {example}",
  past: "must be in the future",
  past_here: "must be in the future: here it is {now}",
  past_everywhere: "has passed everywhere: here it is {now}",
  before_from: "must not be before from",
  not_after_beginning: "must be after the beginning",
  period_too_long: "must be at most {most, number} days after from, and not before it",
  from_and_until_needed: "must have from and until",
  same_times: "must not begin and end at the same time",
  within_quiet_hours: "must not be within quietHours",

  // Addresses.
  not_https: "must be an https URL",
  not_http: "must be an http(s) URL",
  not_an_https_link: "must be an https:// URL without a user name",
  not_an_http_link: "must be an http(s):// URL without a user name",
  not_an_image_url: 'must be an https:// URL, or "" for no image',
  not_a_badge_url: 'must be an https:// URL, or "" for no badge',
  not_an_origin: "must be origins such as {example}: {wrong}",
  not_a_host: "must be the name of a host such as {example}",
  not_of_site: "must be a page of this site",
  not_of_dashboard: "must be a path of the dashboard",
  not_worker_paths: "must be paths such as /push/worker.js",
  not_path_patterns: "must be paths such as /sport/* of at most 200 characters",
  could_not_be_read: "could not be read",
  url_too_long: "Shorten the URL to {most, number} characters.",
  url_characters: "Remove spaces, line breaks, control characters and backslashes, or percent-encode them.",
  url_scheme: "Use a full URL that begins with https://.",
  url_syntax: "Correct the URL: it cannot be read.",
  url_user_name: "Remove the user name and password before the @.",
  url_host: "Use the public host name of the site, such as www.example.com.",
  url_internal: "Use a public address: this one leads inside a network.",
  url_port: "Use the standard HTTPS port, 443.",

  // What is named, and is not there.
  unknown_site: "is no site of this tenant",
  unknown_topic: "is no topic of this site",
  unknown_segment: "is no segment of this site",
  unknown_campaign: "is no campaign of this site",
  unknown_feed: "is no feed of this site",
  unknown_test_device: "is no test device of this site",
  unknown_fact: "is no fact of this site",
  unknown_variant: "is no variant of this test",
  unknown_story: "must be the key of a muted story",
  unknown_plan: "must be a plan that PLANS names: {plans}",

  // Campaigns.
  required_in_manual_mode: "is required in manual mode",
  empty_in_manual_mode: "must not be empty in manual mode",
  fixed_in_url_mode: "cannot be changed in url mode, where the decision was taken on it: create another one",
  unchanged: "must change title, body or imageUrl",
  topics_and_followers: "cannot be combined with topicIds: leave one of them out",
  not_a_segment_choice: "must be a UUID, or empty for all readers",
  not_a_followed_key: "must be one line of 1 to 100 characters, without spaces at its ends",
  not_a_followed_id:
    "must be an id of 1 to 100 characters in one line, or empty for readers who need not follow anything",
  campaign_too_large:
    "makes a message of {bytes} bytes, and push services take {most}: shorten url, imageUrl, badge or text",
  nudge_too_large: "makes a message of {bytes} bytes, and push services take {most}: shorten url, imageUrl or text",
  variant_too_large: "makes a message of {bytes} bytes, and push services take {most}",
  not_sent_yet: "must be a campaign of this site that was sent",
  other_topics_in_correction: "cannot be others than those of the campaign that is corrected: leave it out",
  other_audience_in_correction: "cannot be others than that of the campaign that is corrected: leave it out",
  readers_forgotten:
    "was sent so long ago that its readers are not stored any more: create a campaign without corrects",
  empty_variant: "must have a title, body or imageUrl of its own",
  same_headline: "is the same as the campaign or an earlier variant",
  no_variants: "is of no use without variants",
  test_of_correction: "cannot be tested in a correction",
  headlines_not_counted: "cannot be compared: the site does not count who clicked",
  test_too_long: "must be at most half of ttlSeconds",
  variants_at_local_time: "cannot be given to a campaign that tests headlines: take the variants out first",
  local_time_and_moment: "cannot be given together with localTime",
  belongs_to_one_site: "belongs to one site: put it into sites",
  site_named_twice: "is named twice",
  not_an_idempotency_key: "must be one header of 1 to 255 visible ASCII characters",
  not_after_step_before: "must be later than the step before",
  clicks_not_counted: "is not known: the site does not count who clicked",

  // Feeds and recurring sends.
  category_and_topic_needed: "must have category and topicId",
  suggest_and_override: "cannot be on together with the override",
  known_feed: "is a feed of this site already",
  host_not_allowed:
    "needs a host that an owner has allowed for this feed: large sends need a second person here, and its address is not the site's",
  feed_and_topic: "cannot be given together with feedId",

  // Topics, segments and facts.
  topic_name_taken: "is the name of another topic of this site: {topic}",
  segment_name_taken: "is the name of another segment of this site: {segment}",
  no_condition: "must have at least one condition",
  no_reader_has_both: "must be more days than {before}: no reader has both",
  clicks_not_known: "cannot ask for clicks: the site does not know who clicked, see its setting receipts",
  not_a_fact_name: "must be 1 to 30 small letters, digits or _, and begin with a letter",
  identifies_reader: "must not be an identifier of a reader",
  same_fact: "is the name of another fact",

  // Settings of a site.
  not_texts_by_language: "must be texts by language",
  same_prompt: "must differ from the prompt",
  not_a_prompt: 'must be "page" or the version of the prompt',
  public_url_needed: "redirect needs PUBLIC_URL: set it to where browsers reach this service",
  not_a_key_pair: "must be {json} in JSON, as base64url or JWK, or a private key on P-256 as JWK or PEM",
  not_a_private_key: "must be a private key on the curve P-256 (prime256v1), without a passphrase",
  not_its_public_key: "must have a public key that belongs to its private key",

  // Subscriptions.
  not_a_subscription: "must be a push subscription",
  not_a_subscription_address: "must be the https address of a subscription",
  not_a_url: "is not a URL",
  endpoint_too_long: "is longer than {most, number} characters",
  unknown_push_service: "is not of a known push service (see PUSH_SERVICES)",
  not_an_endpoint: "is no endpoint that this push service gives to browsers",
  not_a_p256_point: "is not a point on P-256",
  not_16_bytes: "is not 16 bytes",
  not_a_list: "is not a list",
  test_link_expired: "is not valid for this site or has expired: make a new link",
  not_a_recent_run: "must be the runId of a notification of the last 48 hours",
  columns_missing: "needs the column subscription, or endpoint with keys, or endpoint, p256dh and auth",

  // Lines of imported files.
  line_too_long: "is longer than 64 KiB",
  not_utf8: "is not valid UTF-8",
  not_valid_json: "is not valid JSON",
  not_an_object: "is not a JSON object",
  open_quotes: "begins a text in quotes that does not end: the rest of the file is not read",
  left_elsewhere: "has unsubscribed at the other service",
  left_here: "has left this site or was erased here, and was not asked to be brought back",
  reader_not_device:
    "is a reader of this site: to make a test device of it, open a link of `pressbell test-device link` in its browser",

  // Accounts and members.
  verified_account:
    "has an account already, whose address was verified by an e-mailed link. If it is this person's, repeat `pressbell provision` with --existing-account.",
  unverified_account:
    "has an account already, whose address was never verified by an e-mailed link. If it is this person's, repeat `pressbell provision` with --existing-account.",
  stolen_password:
    "is in lists of stolen passwords, which attackers try first: choose another, such as four words of your own",
  wrong_password: "is not your password",
  not_our_token: "is not a valid token",
  not_six_digits: "must have six digits",
  not_a_code: "is no code",
  used_code: "is not valid, or was used already: wait for the app's next one",
  wrong_code: "is not the app's present code: check the clock of the device",
  not_a_passkey: "must be the answer of a passkey",
  passkey_failed: "did not fit, or took over five minutes: try again",
  known_passkey: "is registered already",
  no_scope: "must name at least one scope, or be absent for all",
  known_member: "is a member already",
  no_role: "must name a site, if role is absent",
  site_role_twice: "must name each site once",
  site_role_not_higher: "must be higher than role",
  not_accepted: "must be accepted before anything is sent",

  // The command line.
  not_json_file: "is no JSON",
  not_a_new_file: "must be a file that does not exist yet, in a folder that you can write to",
});

/** The code of a fault. Its meaning never changes. */
export type FaultCode = keyof typeof faults;

/** Returns a fault of the field at `path`, a JSON pointer (RFC 6901). */
export function fault(path: string, { code, message, params }: Message): FieldFault {
  return { path, code, message, params };
}

/** Returns a fault as the text of a zod issue, which can be nothing but a text. `messageOfIssue` reads it. */
export const zodText = (message: Message): string => JSON.stringify(message);

/** Returns the fault in the text of a zod issue. A text of zod's own becomes the fault `invalid`. */
export function messageOfIssue(text: string): Message {
  return text.startsWith('{"message":') ? (JSON.parse(text) as Message) : faults.invalid({ reason: text });
}

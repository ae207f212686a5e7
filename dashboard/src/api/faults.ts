import type { FieldFault } from "../../../src/errors.ts";
import type { FaultCode, faults as texts } from "../../../src/faults.ts";
import { count } from "../components/numbers.ts";
import { language } from "../words/language.ts";
import type { Text } from "../words/text.ts";
import { words } from "../words/words.ts";

type Faults = typeof words.faults;
type Name = Exclude<keyof Faults, "labels">;

/** The codes of the service whose sentence is that of another name. */
const shared = {
  required: "empty",
  required_in_manual_mode: "empty",
  empty_in_manual_mode: "empty",
  too_long_by: "too_long",
  search_too_long: "too_long",
  too_many_seconds: "too_large",
  too_many_minutes: "too_large",
  too_many_variants: "too_large",
  too_many_offered_topics: "too_large",
  too_many_time_zones: "too_large",
  too_many_paths: "too_large",
  too_many_facts: "too_large",
  too_many_values: "too_large",
  period_too_long: "too_large",
  not_a_language_tag: "not_a_language",
  not_a_segment_language: "not_a_language",
  not_texts_by_language: "not_a_language",
  not_an_https_link: "not_https",
  not_an_image_url: "not_https",
  not_a_badge_url: "not_https",
  not_an_http_link: "not_http",
  empty_variant: "same_headline",
  past: "past_here",
  before_from: "not_after_beginning",
  other_topics_in_correction: "other_audience_in_correction",
  nudge_too_large: "campaign_too_large",
  variant_too_large: "campaign_too_large",
  unverified_account: "verified_account",
  not_a_private_key: "not_a_key_pair",
  passkey_failed: "not_a_passkey",

  not_a_time: "noTime",
  not_an_iso_time: "noTime",
  not_a_time_with_offset: "noTime",
  not_a_date: "noTime",
  not_a_real_date: "noTime",
  not_a_real_time: "noTime",
  offset_too_large: "noTime",
  date_too_late: "noTime",
  time_too_late: "noTime",

  not_an_id: "gone",
  unknown_site: "gone",
  unknown_topic: "gone",
  unknown_segment: "gone",
  unknown_campaign: "gone",
  unknown_feed: "gone",
  unknown_test_device: "gone",
  unknown_variant: "gone",
  unknown_story: "gone",

  // Only a page of another version than the service causes these.
  wrong_type: "reload",
  not_a_choice: "reload",
  unknown_field: "reload",
  given_twice: "reload",
  not_a_cursor: "reload",
  not_a_month: "reload",
  too_deep: "reload",
  not_storable_text: "reload",
  no_body_expected: "reload",
  not_json: "reload",
  not_positive: "reload",
  not_of_dashboard: "reload",
  not_a_segment_choice: "reload",
  not_a_followed_key: "reload",
  not_a_followed_id: "reload",
  not_an_idempotency_key: "reload",
  not_our_token: "reload",
  topics_and_followers: "reload",
  local_time_and_moment: "reload",
  feed_and_topic: "reload",
  belongs_to_one_site: "reload",
  site_named_twice: "reload",
  too_many_roles: "reload",
  site_role_twice: "reload",
  site_role_not_higher: "reload",

  // No form of the dashboard causes these.
  invalid: "unknown",
  too_many_columns: "unknown",
  columns_missing: "unknown",
  within_quiet_hours: "unknown",
  could_not_be_read: "unknown",
  fixed_in_url_mode: "unknown",
  suggest_and_override: "unknown",
  not_a_prompt: "unknown",
  not_a_subscription_address: "unknown",
  not_a_url: "unknown",
  endpoint_too_long: "unknown",
  unknown_push_service: "unknown",
  not_an_endpoint: "unknown",
  not_a_p256_point: "unknown",
  not_16_bytes: "unknown",
  not_a_list: "unknown",
  test_link_expired: "unknown",
  not_a_recent_run: "unknown",
  line_too_long: "unknown",
  not_utf8: "unknown",
  not_valid_json: "unknown",
  not_an_object: "unknown",
  open_quotes: "unknown",
  left_elsewhere: "unknown",
  left_here: "unknown",
  reader_not_device: "unknown",
  not_json_file: "unknown",
  not_a_new_file: "unknown",
} as const satisfies Partial<Record<FaultCode, Name>>;

type Said<Code extends FaultCode> =
  | string
  | ((params: { [Param in keyof Parameters<(typeof texts)[Code]>[0]]: Text }) => string);

/** Every code has its own sentence, or the sentence of another name. A sentence names only parameters of its code. */
type Sentences = { [Code in Exclude<FaultCode, keyof typeof shared>]: Said<Code> } & {
  [Code in keyof typeof shared as (typeof shared)[Code] & FaultCode]: Said<Code>;
};

/** Returns the fault of a field as a sentence in the dashboard's words. */
export function wordsOfFault({ code, params }: Pick<FieldFault, "code" | "params">): string {
  const sentences: Sentences & Record<string, unknown> = words.faults;
  const name = Object.hasOwn(shared, code) ? shared[code as keyof typeof shared] : code;
  const sentence = Object.hasOwn(sentences, name) && name !== "labels" ? sentences[name] : words.faults.unknown;
  if (typeof sentence === "string") return sentence;
  const shown = Object.entries(params).map(([key, value]) => [key, typeof value === "number" ? count(value) : value]);
  return (sentence as (params: Record<string, Text>) => string)(Object.fromEntries(shown));
}

/** Returns the label of a field, such as "Picture" for `/imageUrl`. Returns "" for a field that no person fills in. */
export function labelOf(path: string): string {
  const name = path.split("/")[1] ?? "";
  const labels: Record<string, string> = words.faults.labels;
  if (Object.hasOwn(labels, name)) return labels[name]!;
  return language === "en" && /^[a-z]+$/.test(name) ? name[0]!.toUpperCase() + name.slice(1) : "";
}

import { type Message, type Param, type Said, said } from "./messages.ts";

/** The kind of an error from the caller's point of view. Only `http/` knows HTTP. It maps each kind to a status. */
export type ErrorKind =
  | "invalid"
  | "unauthenticated"
  | "payment"
  | "forbidden"
  | "notFound"
  | "methodNotAllowed"
  | "timedOut"
  | "conflict"
  | "tooLarge"
  | "headersTooLarge"
  | "expectationFailed"
  | "unsupported"
  | "misdirected"
  | "unusable"
  | "paused"
  | "limited"
  | "bug"
  | "unavailable";

/**
 * Every error code of the API: its kind, and a message that says what to do next. docs/errors.md has the same list; a
 * test compares the two. The meaning of a code never changes.
 */
export const errorRegistry = {
  validation_failed: { kind: "invalid", message: "Correct the fields named in `errors` and send the request again." },
  malformed_json: { kind: "invalid", message: "The body is not valid JSON in UTF-8. Send one JSON object." },
  bad_request: { kind: "invalid", message: "The request is not well-formed HTTP. Check its path and headers." },
  url_not_allowed: {
    kind: "invalid",
    message: "This address is not fetched. Use a public https:// URL on port 443 without a user name.",
  },
  unauthenticated: {
    kind: "unauthenticated",
    message: "Send a valid API key: `Authorization: Bearer pbk_…`. An owner creates keys in the dashboard.",
  },
  sign_in_failed: {
    kind: "unauthenticated",
    message: "The e-mail address or the password is wrong. Try again, or ask another owner of the tenant.",
  },
  billing: {
    kind: "payment",
    message: "The plan does not cover this audience. Raise the plan, or send to fewer topics.",
  },
  dpa_required: {
    kind: "forbidden",
    message: "An owner has to accept the data processing agreement before the first live send.",
  },
  tenant_mismatch: { kind: "forbidden", message: "This key belongs to another tenant. Use the tenant id of the key." },
  owner_session_required: {
    kind: "forbidden",
    message: "API keys are managed by an owner who is signed in to the dashboard, not with an API key.",
  },
  forbidden: { kind: "forbidden", message: "Only an owner of this tenant may do this. Ask one of them." },
  reauthentication_required: {
    kind: "forbidden",
    message: "Give your password again: this needs a sign-in within the last ten minutes.",
  },
  second_factor_required: {
    kind: "forbidden",
    message: "This needs a second factor. Set up an authenticator app under Your account, or sign in with a passkey.",
  },
  provider_required: {
    kind: "forbidden",
    message: "You are a member here by single sign-on. Sign out, and sign in with it.",
  },
  csrf_failed: {
    kind: "forbidden",
    message: "This request came from another website. Open the dashboard itself and try again.",
  },
  scope_missing: {
    kind: "forbidden",
    message: "This API key may not do this: `scope` says what it lacks. Use another key; an owner creates one.",
  },
  browser_forbidden: {
    kind: "forbidden",
    message: "An API key is for servers only. Everyone can read it in a web page: delete it and create a new one.",
  },
  setup_token_required: {
    kind: "forbidden",
    message:
      "This link does not open the set-up. Open the one that the service has logged at its start; it is also in the file setup-link in DATA_DIR.",
  },
  origin_not_allowed: {
    kind: "forbidden",
    message:
      "Pages of this origin do not belong to the site. Add it in the dashboard's settings, or name all further ones with `pressbell site set --site ID --origins URL,URL`.",
  },
  not_found: { kind: "notFound", message: "There is nothing here for this key. Check the path and the id." },
  method_not_allowed: { kind: "methodNotAllowed", message: "This path takes another method: see the Allow header." },
  request_timeout: { kind: "timedOut", message: "The request did not arrive in time. Send it again." },
  illegal_transition: { kind: "conflict", message: "The campaign or run is not in a state that allows this." },
  already_set_up: { kind: "conflict", message: "This installation is set up already. Sign in, or ask its owner." },
  last_owner: {
    kind: "conflict",
    message: "A tenant keeps at least one owner. Make somebody else an owner first.",
  },
  provider_decides: {
    kind: "conflict",
    message: "The groups at the single sign-on decide on this role. Change them there; it applies within 15 minutes.",
  },
  no_passkeys: {
    kind: "conflict",
    message:
      "Passkeys do not work at this address. They need a PUBLIC_URL with https and a host name; tell the operator.",
  },
  second_factor_on: {
    kind: "conflict",
    message: "Your sign-in asks for a code already. Switch that off first to set up another app.",
  },
  other_tenants: {
    kind: "conflict",
    message:
      "This person works for other tenants too. An operator makes the link: `pressbell password link --email EMAIL`.",
  },
  no_mail: {
    kind: "conflict",
    message: "No e-mail is sent here. Ask an owner or the operator for a link to set a new password.",
  },
  confirmation_required: {
    kind: "conflict",
    message: "This goes to more people than one person may decide on. Ask for a second person's yes.",
  },
  nobody_else: {
    kind: "conflict",
    message: "Only you may send here. Invite an editor, or let an owner raise the number of people in the settings.",
  },
  class_not_allowed: {
    kind: "forbidden",
    message:
      "The owners of this site let others send campaigns of this class. Choose another class, or ask one of `senders`.",
  },
  class_limit: {
    kind: "conflict",
    message:
      "This site has sent as many campaigns of this class within 24 hours as its owners allow. Choose another class.",
  },
  own_request: { kind: "forbidden", message: "You have asked for this yourself: another editor or owner decides." },
  request_over: {
    kind: "conflict",
    message: "This request was decided, withdrawn or changed meanwhile, or is over. Look at the campaign again.",
  },
  key_limit: { kind: "conflict", message: "A tenant has at most 50 API keys. Delete one that is no longer used." },
  feed_limit: { kind: "conflict", message: "A site has at most 50 feeds. Remove one that is no longer used." },
  recurring_send_limit: {
    kind: "conflict",
    message: "A site has at most 20 recurring sends. Remove one that is no longer used.",
  },
  member_limit: {
    kind: "conflict",
    message: "A tenant has at most 500 members and open invitations. Remove somebody, or withdraw an invitation.",
  },
  passkey_limit: {
    kind: "conflict",
    message: "An account has at most 50 passkeys. Remove one that is no longer used.",
  },
  device_limit: {
    kind: "conflict",
    message: "A site has at most 200 test devices. Remove one that is no longer used.",
  },
  follow_limit: { kind: "conflict", message: "A reader follows at most 50 stories. End one first." },
  follows_awaited: {
    kind: "conflict",
    message:
      "A campaign to the followers of this id is scheduled, waits for a second person, is about to start or has just started. Cancel it first, or end the story later.",
  },
  segment_limit: { kind: "conflict", message: "A site has at most 50 segments. Retire one that is no longer used." },
  site_limit: {
    kind: "conflict",
    message:
      "The tenant has as many sites as it may have; one that was removed within seven days counts too. Remove a site, or ask the operator: `pressbell tenant set --tenant ID --site-limit N`.",
  },
  topic_limit: {
    kind: "conflict",
    message:
      "The site has as many topics as it may have. Retire one that is no longer used, or ask the operator: `pressbell tenant set --tenant ID --topic-limit N`.",
  },
  segment_awaited: {
    kind: "conflict",
    message:
      "A campaign that is scheduled, waits for a second person or is about to start goes to this segment. Cancel it first, or add another segment.",
  },
  segment_of_feed: {
    kind: "conflict",
    message: "A feed sends to this segment. Choose another one in the feed's settings first.",
  },
  readers_forgotten: {
    kind: "conflict",
    message:
      "This corrects a notification whose readers are not stored any more, or will not be at that time. Create a campaign without corrects.",
  },
  no_test_subscribers: {
    kind: "conflict",
    message:
      "This site has no test device. Add one under Subscribers in the dashboard, or with `pressbell test-device link --site ID --label NAME`.",
  },
  site_moved: {
    kind: "conflict",
    message:
      "The site was exported to another installation, which sends from now on. Resume it there, or ask the operator.",
  },
  site_removed: { kind: "conflict", message: "The campaign's site was removed: nothing is sent for it any more." },
  has_subscribers: {
    kind: "conflict",
    message:
      "This site has subscribers or test devices, and with another key pair they could not be reached any more. Add a new site for the pair.",
  },
  subscription_conflict: {
    kind: "conflict",
    message: "This endpoint is registered with other keys. Unsubscribe in the browser and subscribe again.",
  },
  payload_too_large: {
    kind: "tooLarge",
    message: "The body is over 64 KiB (under /sdk 16 KiB, a part of an import 1 MiB). Send less.",
  },
  headers_too_large: { kind: "headersTooLarge", message: "The headers and the path are over 16 KiB. Send less." },
  expectation_failed: {
    kind: "expectationFailed",
    message: "The only supported expectation is `Expect: 100-continue`. Leave the header out.",
  },
  unsupported_media_type: { kind: "unsupported", message: "Send the body as `Content-Type: application/json`." },
  wrong_host: {
    kind: "misdirected",
    message:
      "The service does not answer to this host name. Set PUBLIC_URL to the address that you call, or add the name to " +
      "ALLOW_HOSTS_HEADER.",
  },
  fetch_failed: {
    kind: "unusable",
    message: "The article could not be read. Check that the page is public, or give a title with forceSend.",
  },
  idempotency_key_reused: {
    kind: "unusable",
    message: "This Idempotency-Key came with another body before. Use a new key for a new request.",
  },
  send_paused: { kind: "paused", message: "Sends are paused. Lift the pause and send again with the same key." },
  rate_limited: { kind: "limited", message: "Too many requests. Wait as long as Retry-After says." },
  internal: { kind: "bug", message: "This is a fault of ours. Try again, and report the requestId if it persists." },
  unavailable: { kind: "unavailable", message: "The service cannot answer just now. Try again shortly." },
} as const satisfies Record<string, { kind: ErrorKind; message: string }>;

export type ErrorCode = keyof typeof errorRegistry;

/**
 * One fault of an input. `path`: a JSON pointer (RFC 6901) to the field. `code`: what is wrong with it, as a name of
 * `faults` (faults.ts); its meaning never changes. `params`: what the fault names. `message`: the same in English.
 */
export type FieldFault = { path: string; code: string; message: string; params: Record<string, Param> };

/** An expected error. Create it with `appError`; `http/` and `cli/` show its `code`, `message` and `details`. */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** Further fields of the error body, such as `errors`, `scope` or `from`. Public: must contain no secret. */
  readonly details: Record<string, unknown>;

  constructor(code: ErrorCode, message: string, details: Record<string, unknown>) {
    super(message);
    this.name = "AppError";
    this.code = code;
    this.details = details;
  }
}

/**
 * Creates the error for `code`. `details.message` replaces the registry's message with a more specific one. A message
 * with a code adds `messageCode` and `params` to the details.
 */
export function appError(
  code: ErrorCode,
  { message, ...details }: Record<string, unknown> & { message?: string | Message } = {},
): AppError {
  if (typeof message !== "object") return new AppError(code, message ?? errorRegistry[code].message, details);
  const { message: text, ...rest } = said(message);
  return new AppError(code, text, { ...details, ...rest });
}

/** Returns the message of an error. Its code is the error's, unless the error was created with a message of its own. */
export function messageOf({ code, message, details }: AppError): Message {
  const { messageCode = code, params = {} } = details as Partial<Said>;
  return { message, code: messageCode, params };
}

/** Creates a `validation_failed` error (400) with all faults of an input. */
export function invalidFields(faults: FieldFault[]): AppError {
  return appError("validation_failed", { errors: faults });
}

/** A wrong setting. Stops the start; the message is one line that names the setting. */
export class ConfigError extends Error {}

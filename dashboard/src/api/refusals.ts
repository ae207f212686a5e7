import type { ErrorCode } from "../../../src/errors.ts";
import { plural } from "../components/numbers.ts";

const reload = "This page is older than the service. Reload it and try again.";

/** What belongs to the API, the command line or our own code, and says nothing to an editor. */
export const foreign =
  /\b(API|JSON|UUID|HTTP|[Tt]enants?|header|Idempotency|Bearer|Retry-After|PUBLIC_URL|DATA_DIR|ALLOW_\w+|CLI)\b|forceSend|for this key|`|--|_|requestId|[\da-f]{8}-[\da-f]{4}-/;

/** `usual`: where the service has no sentence for people about this very case, such as why a link does not work. */
type Words = string | { usual: string };

/**
 * Why something was refused, in the dashboard's words, with what to do here. Every code has its place: the compiler asks
 * for it.
 */
export const refusals: Record<ErrorCode, Words> = {
  validation_failed: "Something here is not right yet. Correct what is marked, then try again.",
  malformed_json: reload,
  bad_request: reload,
  url_not_allowed: "This address is not read. Use one that begins with https:// and that everybody can open.",
  unauthenticated: { usual: "You are signed out. Sign in again; what you have typed is kept." },
  sign_in_failed: {
    usual: "The e-mail address or the password is wrong. Try again, or ask an owner for a new password.",
  },
  billing: "This goes to more people than your plan allows. Choose fewer topics, or ask for a larger plan.",
  dpa_required: "Nothing can be sent yet: an owner has to accept the agreement on readers’ data under Settings.",
  tenant_mismatch: "This belongs to another publisher. Choose the site again.",
  owner_session_required: "Only an owner may do this. Ask one of them.",
  forbidden: { usual: "Your role does not allow this. Ask an owner." },
  reauthentication_required: "Give your password again: your last sign-in is more than ten minutes ago.",
  csrf_failed: "This page was opened through another address. Open the dashboard itself and try again.",
  scope_missing: reload,
  browser_forbidden: reload,
  setup_token_required: {
    usual:
      "This link does not open the set-up. Open the newest one: the start of Pressbell shows it, and it is in the file setup-link in the data folder.",
  },
  origin_not_allowed: "Pages of this address do not belong to the site. Add it under Settings.",
  not_found: { usual: "This is not here any more. Go back and load the list again." },
  method_not_allowed: reload,
  request_timeout: "The connection is slow: your request did not arrive in time. Try again.",
  illegal_transition:
    "This is no longer possible: it was sent, stopped, cancelled or changed meanwhile. Look at it again.",
  already_set_up: "Pressbell is set up already. Sign in, or ask its owner.",
  last_owner: { usual: "There has to be an owner. Make somebody else an owner first." },
  no_passkeys: "Passkeys do not work at this address. Ask the person who runs Pressbell.",
  second_factor_on: "Your sign-in asks for a code already. Switch that off first to set up another app.",
  other_tenants: "This person works for other publishers too. Ask the person who runs Pressbell for the link.",
  no_mail: "No e-mail is sent here. Ask an owner for a link to set a new password.",
  confirmation_required: { usual: "This goes to more people than one person may decide on. Ask a second person." },
  nobody_else: "Only you may send here. Invite an editor, or let an owner raise the number of people under Settings.",
  own_request: "You have asked for this yourself: another editor or owner decides.",
  request_over: "This request was decided, withdrawn or changed meanwhile, or is over. Look at the campaign again.",
  key_limit: "There are 50 keys already. Delete one that is no longer used.",
  feed_limit: "There are 50 feeds already. Remove one that is no longer used.",
  no_test_subscribers: "This site has no test device yet. Add one under Subscribers.",
  site_removed: "This site was removed: nothing is sent for it any more.",
  has_subscribers: {
    usual:
      "This site has subscribers or test devices, and with another key pair they could not be reached any more. Add a new site for the pair.",
  },
  subscription_conflict: "This browser is registered already. Switch its notifications off and on again.",
  payload_too_large: "This is too much at once. Shorten it.",
  headers_too_large: reload,
  expectation_failed: reload,
  unsupported_media_type: reload,
  wrong_host: "The dashboard has another address. Ask the person who runs Pressbell for it.",
  fetch_failed: {
    usual: "The story could not be read. Check that everybody can open its page, or write the nudge yourself.",
  },
  idempotency_key_reused: "This was saved already with another text. Reload the page; your draft is kept.",
  send_paused: "Sends are paused. Lift the pause under Settings, then send it.",
  rate_limited: { usual: "Too many tries." },
  internal: "Something went wrong in Pressbell. Try again; if it stays, tell the person who runs it.",
  unavailable: "Pressbell cannot answer just now. Try again in a minute.",
};

/** Why a confirmed send did not start, where no request was refused. */
const ends: Record<string, string> = {
  changed: "It was changed after you had confirmed it. Look at it again, then send it.",
  late: "The service was away when it was to start. Look whether it is still news, then send it.",
  forbidden: "You are no editor here any more. Ask an owner.",
  confirmation_required: "This goes to more people than one person may decide on. Ask a second person.",
};

/** Returns the dashboard's words for an answer of the service; of one that has to wait, with how long. */
export function messageOf(answer: { code?: string; message: string; retryAfterSeconds?: number }): string {
  const { code = "", message, retryAfterSeconds } = answer;
  const words = Object.hasOwn(refusals, code) ? refusals[code as ErrorCode] : { usual: message };
  const said = typeof words === "string" ? words : foreign.test(message) ? words.usual : message;
  return retryAfterSeconds === undefined ? said : `${said} Try again in ${duration(retryAfterSeconds)}.`;
}

/** Formats a duration in whole minutes, such as "1 minute"; below 90 seconds in seconds, from 90 minutes in hours. */
function duration(seconds: number): string {
  const [unit, length] = seconds < 90 ? ["second", 1] : seconds < 5_400 ? ["minute", 60] : ["hour", 3_600];
  return plural(Math.ceil(seconds / Number(length)), String(unit));
}

/** Returns why a confirmed send did not start. */
export function wordsOfEnd(refusal: string | null): string {
  return ends[refusal ?? ""] ?? messageOf({ code: refusal ?? "", message: "Look at it again, then send it." });
}

import { plural } from "../plural.ts";
import type { Text } from "../text.ts";

const reload = "This page is older than the service. Reload it and try again.";

export const refusals = {
  // The reason of a refusal and what to do, by the code of the answer.
  ofCodes: {
    validation_failed: "Something here is not right yet. Correct what is marked, then try again.",
    malformed_json: reload,
    bad_request: reload,
    url_not_allowed: "This address is not read. Use one that begins with https:// and that everybody can open.",
    unauthenticated: "You are signed out. Sign in again; what you have typed is kept.",
    sign_in_failed: "The e-mail address or the password is wrong. Try again, or ask an owner for a new password.",
    billing: "This goes to more people than your plan allows. Choose fewer topics, or ask for a larger plan.",
    dpa_required: "Nothing can be sent yet: an owner has to accept the agreement on readers’ data under Settings.",
    tenant_mismatch: "This belongs to another publisher. Choose the site again.",
    owner_session_required: "Only an owner may do this. Ask one of them.",
    forbidden: "Your role does not allow this. Ask an owner.",
    reauthentication_required: "Give your password again: your last sign-in is more than ten minutes ago.",
    second_factor_required:
      "This needs a second factor. Set up an authenticator app under Your account, or sign in with a passkey.",
    provider_required: "You are a member here by single sign-on. Sign out, and sign in with it.",
    csrf_failed: "This page was opened through another address. Open the dashboard itself and try again.",
    scope_missing: reload,
    browser_forbidden: reload,
    setup_token_required:
      "This link does not open the set-up. Open the newest one: the start of Pressbell shows it, and it is in the file setup-link in the data folder.",
    origin_not_allowed: "Pages of this address do not belong to the site. Add it under Settings.",
    not_found: "This is not here any more. Go back and load the list again.",
    method_not_allowed: reload,
    request_timeout: "The connection is slow: your request did not arrive in time. Try again.",
    illegal_transition:
      "This is no longer possible: it was sent, stopped, cancelled, corrected or changed meanwhile. Look at it again.",
    already_set_up: "Pressbell is set up already. Sign in, or ask its owner.",
    last_owner: "There has to be an owner. Make somebody else an owner first.",
    provider_decides:
      "The groups at your single sign-on decide on this role. Change them there; it applies within 15 minutes.",
    no_passkeys: "Passkeys do not work at this address. Ask the person who runs Pressbell.",
    second_factor_on: "Your sign-in asks for a code already. Switch that off first to set up another app.",
    other_tenants: "This person works for other publishers too. Ask the person who runs Pressbell for the link.",
    no_mail: "No e-mail is sent here. Ask an owner for a link to set a new password.",
    confirmation_required: "This goes to more people than one person may decide on. Ask a second person.",
    nobody_else: "Only you may send here. Invite an editor, or let an owner raise the number of people under Settings.",
    class_not_allowed: "You may not send this class. Ask a second person to approve it, or choose another class.",
    class_limit: "This class has reached the owners’ limit for 24 hours. Choose another class.",
    own_request: "You have asked for this yourself: another editor or owner decides.",
    request_over: "This request was decided, withdrawn or changed meanwhile, or is over. Look at the campaign again.",
    key_limit: "There are 50 keys already. Delete one that is no longer used.",
    feed_limit: "There are 50 feeds already. Remove one that is no longer used.",
    recurring_send_limit: "There are 20 recurring sends already. Remove one that is no longer used.",
    site_limit: "No more sites fit here. Remove one; its place is free seven days later.",
    topic_limit: "No more topics fit at this site. Retire one that is no longer used.",
    member_limit: "There are 500 members and open invitations already. Remove somebody, or withdraw an invitation.",
    passkey_limit: "You have 50 passkeys already. Remove one that is no longer used.",
    device_limit: "There are 200 test devices already. Remove one that is no longer used.",
    follow_limit: "A reader follows at most 50 stories.",
    follows_awaited: "A campaign to these followers is scheduled or about to start. Cancel it first.",
    segment_limit: "There are 50 segments already. Retire one that is no longer used.",
    segment_awaited:
      "A campaign that is scheduled, waits for a second person or is about to start goes to this segment. Cancel it first, or add another segment.",
    segment_of_feed: "A feed sends to this segment. Choose another one in its settings first.",
    readers_forgotten:
      "This corrects a notification whose readers are not stored any more, or will not be at that time. Send a new notification instead.",
    no_test_subscribers: "This site has no test device yet. Add one under Subscribers.",
    site_moved: "This site has moved to another installation, which sends for it now.",
    site_removed: "This site was removed: nothing is sent for it any more.",
    has_subscribers:
      "This site has subscribers or test devices, and with another key pair they could not be reached any more. Add a new site for the pair.",
    subscription_conflict: "This browser is registered already. Switch its notifications off and on again.",
    payload_too_large: "This is too much at once. Shorten it.",
    headers_too_large: reload,
    expectation_failed: reload,
    unsupported_media_type: reload,
    wrong_host: "The dashboard has another address. Ask the person who runs Pressbell for it.",
    fetch_failed:
      "The story could not be read. Check that everybody can open its page, or write the notification yourself.",
    idempotency_key_reused: "This was saved already with another text. Reload the page; your draft is kept.",
    send_paused: "Sends are paused. Lift the pause under Settings, then send it.",
    rate_limited: "Too many tries.",
    internal: "Something went wrong in Pressbell. Try again; if it stays, tell the person who runs it.",
    unavailable: "Pressbell cannot answer just now. Try again in a minute.",
  },
  // What somebody else has done with a campaign, by its status or the service's word for it.
  meanwhile: {
    sending: "It is being sent already. Nothing is sent twice.",
    sent: "It has been sent meanwhile. Nothing is sent twice.",
    stopped: "It was sent and stopped meanwhile.",
    cancelled: "It was cancelled meanwhile. Duplicate it to send it all the same.",
    failed: "It was due meanwhile and was not sent. Its page says why.",
    changed: "It was changed meanwhile. Close this and read it again, then send it.",
    begun: "Somebody else is sending it just now, and can still take it back.",
    asked: "Somebody else has asked a second person already. Wait for the answer, or approve it yourself.",
    test_over: "The comparison has ended meanwhile: all readers get the headline that won.",
    listing: "The readers are still being listed. Try again in a moment.",
  },
  tryAgainIn: ({ said, time }: { said: Text; time: Text }) => `${said} Try again in ${time}.`,
  seconds: ({ n }: { n: number }) => plural(n, "second"),
  minutes: ({ n }: { n: number }) => plural(n, "minute"),
  hours: ({ n }: { n: number }) => plural(n, "hour"),
  /** Why a confirmed send did not start, although no request was refused. */
  ends: {
    changed: "It was changed after you had confirmed it. Look at it again, then send it.",
    late: "Pressbell was unavailable when the send was due. Check that it is still news, then send it.",
    forbidden: "You are no longer an editor here. Ask an owner.",
    confirmation_required: "This goes to more people than one person may decide on. Ask a second person.",
  },
  lookAtItAgain: "Look at it again, then send it.",
};

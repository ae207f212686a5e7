import type { AuditEventKind, AuditEventName, AuditEventView } from "../api/calls.ts";
import { people } from "../components/numbers.ts";

/** The labels of the kinds in the filter. */
export const kindWords: Record<AuditEventKind, string> = {
  sends: "Sends and stops",
  pauses: "Pauses",
  settings: "Settings",
  keys: "API keys",
  members: "Members",
  accounts: "Sign-ins",
  agreement: "Agreement",
  files: "Exports and imports",
  readers: "Readers",
  feeds: "Feeds",
};

/** The labels of audit events. */
export const eventWords: Record<AuditEventName, string> = {
  "campaign.sent": "Sent a nudge",
  "campaign.tested": "Sent a test",
  "campaign.scheduled": "Scheduled a nudge",
  "campaign.changed": "Changed a scheduled nudge",
  "campaign.cancelled": "Cancelled a nudge",
  "campaign.failed": "A scheduled nudge did not go out",
  "run.stopped": "Stopped a send",
  "send.requested": "Asked for a second person",
  "send.approved": "Approved a send",
  "send.refused": "Refused a send",
  "send.withdrawn": "Took back a request",
  "tenant.paused": "Paused all sends",
  "tenant.resumed": "Lifted the pause of all sends",
  "site.paused": "Paused a site",
  "site.resumed": "Lifted a site’s pause",
  "tenant.made": "Set up the publisher",
  "tenant.changed": "Changed the publisher",
  "site.added": "Added a site",
  "site.changed": "Changed a site’s settings",
  "site.removed": "Removed a site",
  "topic.added": "Added a topic",
  "topic.renamed": "Renamed a topic",
  "topic.retired": "Retired a topic",
  "key.made": "Made an API key",
  "key.deleted": "Deleted an API key",
  "member.invited": "Invited somebody",
  "invitation.withdrawn": "Withdrew an invitation",
  "member.joined": "Joined",
  "member.role_changed": "Changed a member’s role",
  "member.removed": "Removed a member",
  "password.link_made": "Made a link for a new password",
  "session.started": "Signed in",
  "session.refused": "Sign-ins were refused",
  "session.ended": "Signed out",
  "password.changed": "Changed their password",
  "factor.added": "Switched the code at the sign-in on",
  "factor.removed": "Switched the code at the sign-in off",
  "passkey.added": "Added a passkey",
  "passkey.removed": "Removed a passkey",
  "provider.linked": "Linked to single sign-on",
  "agreement.accepted": "Accepted the agreement",
  "agreement.withdrawn": "Withdrew the agreement",
  "subscribers.imported": "Imported subscribers",
  "subscribers.exported": "Exported the subscribers",
  "campaigns.exported": "Exported the campaigns",
  "run.exported": "Exported a send’s report",
  "vapid.imported": "Took over the key pair of another service",
  "vapid.exported": "Exported the key pair of a site",
  "registrations.limited": "Too many new readers in an hour: further ones were refused",
  "subscribers.deleted": "Deleted subscribers",
  "feed.added": "Added a feed",
  "feed.changed": "Changed a feed",
  "feed.removed": "Removed a feed",
};

/** The details of an event in one line: a changed setting with its old and new value, any other fact with its name. */
export function detailsOf({ details }: AuditEventView): string {
  const {
    changes,
    change,
    audience,
    audienceExact,
    askedBy: _,
    importId: _id,
    part: _part,
    ...rest
  } = details as Details;
  const to = audience === undefined ? [] : [`to ${people(audience, audienceExact ?? true)}`];
  const facts = Object.entries({ ...rest, ...change }).map(([name, value]) => `${splitWords(name)} ${shown(value)}`);
  const steps = Object.entries(changes ?? {}).map(
    ([name, { from, to }]) => `${splitWords(name)}: ${shown(from)} → ${shown(to)}`,
  );
  return [...to, ...facts, ...steps].join(" · ");
}

type Change = { from: unknown; to: unknown };
type Details = {
  changes?: Record<string, Change>;
  change?: object;
  audience?: number;
  audienceExact?: boolean;
  askedBy?: string;
  importId?: string;
  part?: number;
};

/** Splits a camel-case name: `dailyCap` becomes "daily cap". */
function splitWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return value.toLocaleString("en");
  if (Array.isArray(value)) return value.map(shown).join(", ") || "none";
  if (typeof value !== "object") return String(value);
  const members = Object.entries(value).map(([name, member]) => `${splitWords(name)} ${shown(member)}`);
  return members.join(", ") || "none";
}

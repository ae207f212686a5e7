import type { AuditEventKind, AuditEventName, AuditEventView } from "../api/calls.ts";
import { people } from "../components/numbers.ts";
import { words } from "../words/words.ts";

/** The labels of the kinds in the filter. */
export const kindWords: Record<AuditEventKind, string> = {
  get sends() {
    return words.audit.sendsAndStops;
  },
  get pauses() {
    return words.audit.pauses;
  },
  get settings() {
    return words.audit.settings;
  },
  keys: "API keys",
  get members() {
    return words.audit.members;
  },
  accounts: "Sign-ins",
  get agreement() {
    return words.audit.agreement;
  },
  get files() {
    return words.audit.exportsAndImports;
  },
  get readers() {
    return words.audit.readers;
  },
  get feeds() {
    return words.audit.feeds;
  },
};

/** The labels of audit events. */
export const eventWords: Record<AuditEventName, string> = {
  get "campaign.sent"() {
    return words.audit.sentANudge;
  },
  get "campaign.tested"() {
    return words.audit.sentATest;
  },
  get "campaign.scheduled"() {
    return words.audit.scheduledANudge;
  },
  get "campaign.changed"() {
    return words.audit.changedAScheduledNudge;
  },
  get "campaign.cancelled"() {
    return words.audit.cancelledANudge;
  },
  get "campaign.failed"() {
    return words.audit.aScheduledNudgeDidNot;
  },
  get "run.stopped"() {
    return words.audit.stoppedASend;
  },
  get "send.requested"() {
    return words.audit.askedForASecondPerson;
  },
  get "send.approved"() {
    return words.audit.approvedASend;
  },
  get "send.refused"() {
    return words.audit.refusedASend;
  },
  get "send.withdrawn"() {
    return words.audit.tookBackARequest;
  },
  get "tenant.paused"() {
    return words.audit.pausedAllSends;
  },
  get "tenant.resumed"() {
    return words.audit.liftedThePauseOfAll;
  },
  get "site.paused"() {
    return words.audit.pausedASite;
  },
  get "site.resumed"() {
    return words.audit.liftedASitesPause;
  },
  get "tenant.made"() {
    return words.audit.setUpThePublisher;
  },
  get "tenant.changed"() {
    return words.audit.changedThePublisher;
  },
  get "site.added"() {
    return words.audit.addedASite;
  },
  get "site.changed"() {
    return words.audit.changedASitesSettings;
  },
  get "site.removed"() {
    return words.audit.removedASite;
  },
  get "topic.added"() {
    return words.audit.addedATopic;
  },
  get "topic.renamed"() {
    return words.audit.renamedATopic;
  },
  get "topic.retired"() {
    return words.audit.retiredATopic;
  },
  get "key.made"() {
    return words.audit.madeAnApiKey;
  },
  get "key.deleted"() {
    return words.audit.deletedAnApiKey;
  },
  get "member.invited"() {
    return words.audit.invitedSomebody;
  },
  get "invitation.withdrawn"() {
    return words.audit.withdrewAnInvitation;
  },
  get "member.joined"() {
    return words.audit.joined;
  },
  get "member.role_changed"() {
    return words.audit.changedAMembersRole;
  },
  get "member.removed"() {
    return words.audit.removedAMember;
  },
  get "password.link_made"() {
    return words.audit.madeALinkForA;
  },
  get "session.started"() {
    return words.audit.signedIn;
  },
  get "session.refused"() {
    return words.audit.signInsWereRefused;
  },
  get "session.ended"() {
    return words.audit.signedOut;
  },
  get "password.changed"() {
    return words.audit.changedTheirPassword;
  },
  get "factor.added"() {
    return words.audit.switchedTheCodeAtThe;
  },
  get "factor.removed"() {
    return words.audit.switchedTheCodeAtThe2;
  },
  get "passkey.added"() {
    return words.audit.addedAPasskey;
  },
  get "passkey.removed"() {
    return words.audit.removedAPasskey;
  },
  get "provider.linked"() {
    return words.audit.linkedToSingleSignOn;
  },
  get "agreement.accepted"() {
    return words.audit.acceptedTheAgreement;
  },
  get "agreement.withdrawn"() {
    return words.audit.withdrewTheAgreement;
  },
  get "subscribers.imported"() {
    return words.audit.importedSubscribers;
  },
  get "subscribers.exported"() {
    return words.audit.exportedTheSubscribers;
  },
  get "campaigns.exported"() {
    return words.audit.exportedTheCampaigns;
  },
  get "run.exported"() {
    return words.audit.exportedASendsReport;
  },
  get "vapid.imported"() {
    return words.audit.tookOverTheKeyPair;
  },
  get "vapid.exported"() {
    return words.audit.exportedTheKeyPairOf;
  },
  get "registrations.limited"() {
    return words.audit.tooManyNewReadersIn;
  },
  get "subscribers.deleted"() {
    return words.audit.deletedSubscribers;
  },
  get "feed.added"() {
    return words.audit.addedAFeed;
  },
  get "feed.changed"() {
    return words.audit.changedAFeed;
  },
  get "feed.removed"() {
    return words.audit.removedAFeed;
  },
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
  const to = audience === undefined ? [] : [words.audit.to({ audience: people(audience, audienceExact ?? true) })];
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

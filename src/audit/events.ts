/** The names of all audit events, by the kinds that owners can filter by. A stored name never changes its meaning. */
export const auditEventsOfKind = {
  sends: [
    ...[
      "campaign.sent",
      "campaign.tested",
      "campaign.updated",
      "campaign.scheduled",
      "campaign.changed",
      "campaign.cancelled",
      "campaign.failed",
    ],
    ...["run.stopped", "run.headline_chosen", "send.requested", "send.approved", "send.refused", "send.withdrawn"],
  ],
  pauses: ["tenant.paused", "tenant.resumed", "site.paused", "site.resumed"],
  settings: [
    "tenant.made",
    "tenant.changed",
    "site.added",
    "site.changed",
    "welcome.changed",
    "win_back.changed",
    "drill.changed",
    "site.removed",
    "site.restored",
    "site.erased",
    "topic.added",
    "topic.renamed",
    "topic.retired",
    "segment.added",
    "segment.changed",
    "segment.retired",
    "follows.ended",
  ],
  keys: ["key.made", "key.deleted"],
  members: [
    ...["member.invited", "invitation.withdrawn", "member.joined", "member.role_changed", "member.removed"],
    ...["password.link_made", "provider.role_changed"],
  ],
  accounts: [
    "session.started",
    "session.refused",
    "session.ended",
    "password.changed",
    "factor.added",
    "factor.removed",
    "passkey.added",
    "passkey.removed",
    "provider.linked",
    "account.deleted",
  ],
  agreement: ["agreement.accepted", "agreement.withdrawn"],
  files: [
    ...["subscribers.imported", "subscribers.exported", "campaigns.exported", "run.exported"],
    ...["vapid.imported", "vapid.exported", "site.exported", "site.imported"],
  ],
  readers: ["registrations.limited", "subscribers.deleted"],
  feeds: [
    ...["feed.added", "feed.changed", "feed.removed"],
    ...["recurring_send.added", "recurring_send.changed", "recurring_send.removed"],
  ],
} as const satisfies Record<string, readonly string[]>;

export type AuditEventKind = keyof typeof auditEventsOfKind;
export type AuditEventName = (typeof auditEventsOfKind)[AuditEventKind][number];

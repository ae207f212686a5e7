import type { App } from "../app.ts";

/**
 * At most `quota` requests in a window of `windowSeconds`, which starts with its first request. `name`: the name of
 * the limit in the RateLimit headers, and the prefix of its buckets in the database.
 */
export type Limit = { name: string; quota: number; windowSeconds: number };

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** All requests of one API key. */
export const keyLimit = (app: App): Limit => ({
  name: "key",
  quota: app.config.RATE_LIMIT_PER_MINUTE,
  windowSeconds: minute,
});
/** All requests of one signed-in person. */
export const sessionLimit = (app: App): Limit => ({ ...keyLimit(app), name: "session" });
/** Requests that make the service fetch a page of a website, by key or person. */
export const fetchLimit = (app: App): Limit => ({
  name: "fetch",
  quota: app.config.FETCH_RATE_LIMIT_PER_MINUTE,
  windowSeconds: minute,
});

/**
 * Requests to the sign-in and to one's own account from one address. Most of them come before it is known who asks.
 * Counted in memory (memory-limit.ts). The quota is that of one person, but never small, because a whole company may
 * share an address.
 */
export const accountRequestLimit = (app: App): Limit => ({
  name: "account_requests",
  quota: Math.max(600, app.config.RATE_LIMIT_PER_MINUTE),
  windowSeconds: minute,
});

/** New campaigns of one tenant by its keys and members. Feeds have their own limits. */
export const campaignLimit: Limit = { name: "campaigns", quota: 10_000, windowSeconds: day };
/** Test sends and updates of one tenant: each starts a run. */
export const extraRunLimit: Limit = { name: "runs", quota: 10_000, windowSeconds: day };
/** Approval requests of one member: each may send an e-mail to every other editor and owner. */
export const approvalRequestLimit: Limit = { name: "approval_requests", quota: 60, windowSeconds: hour };

/** Wrong keys, passwords and link tokens from one address. */
export const failureLimit: Limit = { name: "address", quota: 20, windowSeconds: minute };
/** Wrong passwords for one e-mail address from one address, so that an attacker elsewhere cannot lock its owner out. */
export const accountLimit: Limit = { name: "account", quota: 10, windowSeconds: 15 * minute };
/** Wrong passwords for one e-mail address from any address: bounds a distributed attack. */
export const accountEverywhereLimit: Limit = { name: "account", quota: 100, windowSeconds: 15 * minute };

/** Codes of a second factor for one account from any address. Only a person with the password can try one. */
export const codeLimit: Limit = { name: "code", quota: 10, windowSeconds: 15 * minute };

/** Audit events of refused sign-ins to one account. */
export const refusedSignInEventLimit: Limit = { name: "refused", quota: 1, windowSeconds: 15 * minute };

/** E-mails with a password link, to one e-mail address. */
export const passwordMailLimit: Limit = { name: "password", quota: 3, windowSeconds: hour };
/** Invitations of one e-mail address to one tenant. */
export const invitationLimit: Limit = { name: "invitation", quota: 3, windowSeconds: hour };
/** Invitations to one tenant: each may send an e-mail to a person who did not ask for it. */
export const invitationsLimit: Limit = { name: "invitations", quota: 50, windowSeconds: day };
/** Mailed invitations to one unproven tenant (`isProvenTenant`). A stranger must not send mail through the operator. */
export const unprovenInvitationsLimit: Limit = { name: "mailed_invitations", quota: 10, windowSeconds: day };

/** Reads by readers' pages and workers from one address. The quota is high: a whole company may share an address. */
export const readerReadLimit: Limit = { name: "reads", quota: 600, windowSeconds: minute };
/** Reads of a reader's data, by subscription. The answer is large, and a reader needs it once. */
export const readerDataLimit: Limit = { name: "data", quota: 10, windowSeconds: hour };
/** New follows at one site from one address. The quota is high: a whole company may share an address. */
export const addressFollowLimit: Limit = { name: "address_follows", quota: 600, windowSeconds: hour };
/** Subscribing, confirming and unsubscribing, from one address. */
export const readerWriteLimit: Limit = { name: "writes", quota: 120, windowSeconds: minute };
/**
 * Requests of readers' browsers from one address for an unknown site, or from an origin that is not the site's.
 * Counted in memory (memory-limit.ts), so that further ones are refused before the database looks up the site. The
 * quota is as high as for reads: a page that still has the snippet of a removed site must not lock out others with the
 * same address.
 */
export const readerRefusalLimit: Limit = { name: "refusals", quota: 600, windowSeconds: minute };
/**
 * Receipts and scripts from one address. Counted in memory (memory-limit.ts), because a send causes thousands of them.
 */
export const beaconLimit: Limit = { name: "beacons", quota: 6_000, windowSeconds: minute };

/**
 * New subscribers of one site from any number of addresses. The quota is a share of the site's proven subscribers,
 * within bounds. A busy site gains a few per cent a day. The upper bound also limits the cost of the count: 0.5 s for
 * a million.
 */
export const registrationLimit = {
  name: "registrations",
  quotaAtLeast: 1_000,
  quotaAtMost: 100_000,
  shareOfProven: 0.1,
  windowSeconds: hour,
};

/**
 * New subscribers of one site from one address. The quota is a share of the site's quota, so that no address uses all
 * of it. A small site has a hundred an hour, because a company or the customers of a mobile network may share an
 * address.
 */
export const addressRegistrationLimit = { name: "address_registrations", shareOfQuota: 0.1, windowSeconds: hour };

/**
 * Requests of hubs from one address, before it is known whether a feed expects them. Counted in memory. The quota is
 * high, because one hub pushes the feeds of many publishers.
 */
export const hubRequestLimit: Limit = { name: "hub_requests", quota: 6_000, windowSeconds: minute };
/** Pushes of a feed's hub with its signature. A newspaper publishes a few stories a minute at its busiest. */
export const hubPushLimit: Limit = { name: "hub_pushes", quota: 20, windowSeconds: minute };

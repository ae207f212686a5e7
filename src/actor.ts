import { appError } from "./errors.ts";

/**
 * The caller of an operation, and the tenant for which it is called. The operation authorizes the actor, and stores
 * its name with what it creates. `key`: an API key. `user`: a signed-in member. `operator`: a person at the command
 * line. `schedule`: the scheduler, for campaigns that are due. `feed`: a feed, for its new items. `recurring`: a
 * recurring send, for the newest story of its source.
 *
 * Three further kinds appear in the audit log only. `reader`: a browser under /sdk, about which nothing is known.
 * `stranger`: somebody at the sign-in who did not prove who they are. `provider`: the OpenID Connect provider, whose
 * groups give and take memberships.
 */
export type Actor =
  | { kind: "key"; tenantId: string; keyId: string }
  | { kind: "user"; tenantId: string; userId: string; siteIds?: string[] }
  | { kind: "operator"; tenantId: string }
  | { kind: "schedule"; tenantId: string }
  | { kind: "feed"; tenantId: string; feedId: string }
  | { kind: "recurring"; tenantId: string; recurringSendId: string }
  | { kind: "reader"; tenantId: string }
  | { kind: "stranger"; tenantId: string }
  | { kind: "provider"; tenantId: string };

/** A signed-in member. `siteIds`: the sites that lists may show to them; absent for a member of the whole tenant. */
export type Member = Extract<Actor, { kind: "user" }>;

/** Returns the member who calls an operation that only a person may call. Throws `forbidden` for any other actor. */
export function memberOf({ actor }: { actor: Actor }): Member {
  if (actor.kind !== "user") throw appError("forbidden");
  return actor;
}

/** Returns whether lists may show this site to the actor. The route has checked the sites that a request names. */
export function seesSite(actor: Actor, siteId: string): boolean {
  return actor.kind !== "user" || actor.siteIds === undefined || actor.siteIds.includes(siteId);
}

/** Returns the sites to which lists for the actor are limited. Returns undefined if there is no limit. */
export function limitedTo(actor: Actor): string[] | undefined {
  return actor.kind === "user" ? actor.siteIds : undefined;
}

/**
 * Returns the actor as text, for `created_by` and the audit log: `key:ID`, `user:ID`, `feed:ID`, `recurring:ID`, or
 * its kind.
 */
export function actorName(actor: Actor): string {
  if (actor.kind === "key") return `key:${actor.keyId}`;
  if (actor.kind === "feed") return `feed:${actor.feedId}`;
  if (actor.kind === "recurring") return `recurring:${actor.recurringSendId}`;
  return actor.kind === "user" ? `user:${actor.userId}` : actor.kind;
}

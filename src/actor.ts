/**
 * Who is asking. Every operation receives one, decides by it what may be touched, and writes its name beside what it
 * made. `key`: a tenant's API key. `user`: someone who is signed in. `operator`: someone at the machine itself, through
 * the command line. `schedule` and `feed`: what goes out by itself, when it is due or as a feed brings it.
 */
export type Actor =
  | { kind: "key"; tenantId: string; keyId: string }
  | { kind: "user"; tenantId: string; userId: string }
  | { kind: "operator"; tenantId: string }
  | { kind: "schedule"; tenantId: string }
  | { kind: "feed"; tenantId: string; feedId: string };

/** The actor in one word, for `created_by` and the log: `key:ID`, `user:ID`, `feed:ID`, `operator` or `schedule`. */
export function actorName(actor: Actor): string {
  if (actor.kind === "key") return `key:${actor.keyId}`;
  if (actor.kind === "feed") return `feed:${actor.feedId}`;
  return actor.kind === "user" ? `user:${actor.userId}` : actor.kind;
}

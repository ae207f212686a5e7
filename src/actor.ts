/**
 * Who is asking. Every operation receives one, decides by it what may be touched, and writes its name beside what it
 * made. `key`: a tenant's API key. `user`: someone who is signed in. `operator`: someone at the machine itself, through
 * the command line.
 */
export type Actor =
  | { kind: "key"; tenantId: string; keyId: string }
  | { kind: "user"; tenantId: string; userId: string }
  | { kind: "operator"; tenantId: string }
  | { kind: "schedule"; tenantId: string };

/** The actor in one word, for `created_by` and the log: `key:ID`, `user:ID`, `operator` or `schedule`. */
export function actorName(actor: Actor): string {
  if (actor.kind === "key") return `key:${actor.keyId}`;
  return actor.kind === "user" ? `user:${actor.userId}` : actor.kind;
}

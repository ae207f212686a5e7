import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import type { AuditEventName } from "../../audit/events.ts";
import { recordAuditEvent } from "../../audit/record-event.ts";
import type { Executor } from "../../db/pool.ts";
import { countRequest } from "../../rate-limits/count-requests.ts";
import { refusedSignInEventLimit } from "../../rate-limits/limits.ts";
import { membershipsOfUser } from "../members/queries.ts";
import { userByEmail } from "./queries.ts";

type AccountEvent = {
  event: AuditEventName;
  details?: Record<string, unknown>;
  /** Who did it; by default the person themselves. */
  by?: "user" | "operator" | "stranger" | "provider";
};

/** Records what happened to a person's account, in the audit log of each tenant that the person is a member of. */
export async function recordAccountEvent(
  on: Executor,
  userId: string,
  { event, details = {}, by = "user" }: AccountEvent,
): Promise<void> {
  for (const { tenantId } of await membershipsOfUser(on, userId)) {
    const actor: Actor = by === "user" ? { kind: by, tenantId, userId } : { kind: by, tenantId };
    // The log shows the person once: as the actor, or as the subject of another actor.
    await recordAuditEvent(on, actor, event, by === "user" ? { details } : { subjectId: userId, details });
  }
}

type WrongProof = "password" | "code" | "single sign-on";

/**
 * Records a refused sign-in to the account with this address, at most once in 15 minutes, so an attack of a thousand
 * guesses is one line. Records nothing for an address without an account, because the log holds no address of a
 * stranger. Returns at once, because the time of the answer must not reveal whether the address has an account.
 */
export function recordRefusedSignIn(app: App, email: string, wrong: WrongProof): void {
  void storeRefusal(app, email.toLowerCase(), wrong).catch((error: unknown) => {
    app.log.error({ err: error }, "a refused sign-in was not recorded");
  });
}

async function storeRefusal(app: App, email: string, wrong: WrongProof): Promise<void> {
  const user = await userByEmail(app.db, email);
  if (user === undefined) return;
  const { used } = await countRequest(app, refusedSignInEventLimit, user.id);
  if (used > refusedSignInEventLimit.quota) return;
  await recordAccountEvent(app.db, user.id, { event: "session.refused", by: "stranger", details: { wrong } });
}

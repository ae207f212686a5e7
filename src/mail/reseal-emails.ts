import type { Tx } from "../db/pool.ts";
import type { SecretBox } from "../secret-box.ts";
import { sealedEmailsLocked, updateSealedEmail } from "./queries.ts";
import { sealContext } from "./queue-email.ts";

/** Seals the queued e-mails again with the newest secret key. Returns how many there are. */
export async function resealEmails(tx: Tx, secrets: SecretBox): Promise<number> {
  const waiting = await sealedEmailsLocked(tx);
  for (const { id, sealed } of waiting) {
    await updateSealedEmail(tx, id, secrets.seal(secrets.open(sealed, sealContext(id)), sealContext(id)));
  }
  return waiting.length;
}

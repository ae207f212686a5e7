import type { Tx } from "../../db/pool.ts";
import type { SecretBox } from "../../secret-box.ts";
import { openSecret, sealSecret } from "./codes.ts";
import { sealedSecretsLocked, updateSealedSecret } from "./queries.ts";

/** Seals the secret of every second factor again, with the newest secret key. Returns the number of secrets. */
export async function resealSecondFactors(tx: Tx, secrets: SecretBox): Promise<number> {
  const stored = await sealedSecretsLocked(tx);
  for (const { userId, sealed } of stored) {
    await updateSealedSecret(tx, userId, sealSecret(secrets, userId, openSecret(secrets, userId, sealed)));
  }
  return stored.length;
}

import type { Tx } from "../../db/pool.ts";
import type { SecretBox } from "../../secret-box.ts";
import { sealedKeysLocked, updateSealedKey } from "./queries.ts";
import { openVapidKey, sealVapidKey } from "./vapid-pair.ts";

/** Seals the private key of every site again, with the newest secret key. Returns the number of keys. */
export async function resealVapidKeys(tx: Tx, secrets: SecretBox): Promise<number> {
  const sealed = await sealedKeysLocked(tx);
  for (const { siteId, key } of sealed) {
    await updateSealedKey(tx, siteId, sealVapidKey(secrets, siteId, openVapidKey(secrets, siteId, key)));
  }
  return sealed.length;
}

import type { Database } from "../db/pool.ts";
import type { SecretBox } from "../secret-box.ts";
import { anySealedKey } from "./queries.ts";
import { openVapidKey } from "./vapid-pair.ts";

/**
 * Whether `secrets` opens what this database holds; true where it holds nothing yet. Asked at the start: with another
 * SECRET_KEY no message could be signed, and every run would wait until its time to live ends.
 */
export async function secretKeyFits(db: Database, secrets: SecretBox): Promise<boolean> {
  const sealed = await anySealedKey(db);
  if (sealed === undefined) return true;
  try {
    openVapidKey(secrets, sealed.siteId, sealed.key);
    return true;
  } catch {
    return false;
  }
}

import { sql } from "kysely";
import { type Executor, rows } from "../db/pool.ts";
import { isVapidSubject } from "../vapid-subject.ts";
import { type Finding, failed, ok, warning } from "./finding.ts";

const check = "VAPID subject";
const advice = "set VAPID_SUBJECT to a mailto: or https: address of yours that works";

/**
 * Names that do not exist on the public internet (RFC 2606, 6761, 6762, ICANN's .internal). Apple answers BadJwtToken
 * to them.
 */
const notPublic = /(^|[@.])(localhost|local|internal|lan|home\.arpa|test|example|invalid)$/i;

/** Returns whether push services refuse `subject`, as far as its name shows. */
function isRefused(subject: string): boolean {
  const host = subject.startsWith("mailto:") ? subject.slice("mailto:".length) : (URL.parse(subject)?.hostname ?? "");
  return !isVapidSubject(subject) || notPublic.test(host);
}

/** Assesses the VAPID subject. `ownerSubjects`: the subjects that are used if `subject` is unset. */
export function assessSubject(subject: string | undefined, ownerSubjects: string[]): Finding {
  if (subject !== undefined) {
    return isRefused(subject)
      ? failed(check, `Apple refuses ${subject}, which is no public name: ${advice}`)
      : ok(check, subject);
  }
  const refused = ownerSubjects.filter(isRefused);
  if (refused.length > 0) {
    return failed(check, `unset, and Apple refuses the owner's ${refused[0]} in its place: ${advice}`);
  }
  if (ownerSubjects.length > 0) return ok(check, "unset: the address of each tenant's owner is used");
  return warning(check, `unset: the address of each tenant's owner will be used; ${advice}`);
}

/** Returns the VAPID subject of each tenant that has a site, as it is used if VAPID_SUBJECT is unset. */
export async function readOwnerSubjects(db: Executor): Promise<string[]> {
  const owners = await rows(
    sql<{ email: string }>`select distinct on (m.tenant_id) u.email from members m join users u on u.id = m.user_id
      where m.role = 'owner' and exists (select from sites s where s.tenant_id = m.tenant_id and s.removed_at is null)
      order by m.tenant_id, m.created_at`,
    db,
  );
  return owners.map(({ email }) => `mailto:${email}`);
}

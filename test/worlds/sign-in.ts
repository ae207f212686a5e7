import { sql } from "kysely";
import { createOwner } from "../../src/access/create-owner.ts";
import { insertMember, userByEmail } from "../../src/access/queries.ts";
import type { Role } from "../../src/access/roles.ts";
import type { App } from "../../src/app.ts";
import { newId } from "../../src/ids.ts";
import type { Answer, Api } from "./app.ts";

/** The password of every owner that makePublisher makes. */
export const ownerPassword = "correct horse battery";

export function ownerEmail(tenantId: string): string {
  return `owner-${tenantId}@example.org`;
}

export function postSignIn(api: Api, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  return api.call("POST", "/dashboard/api/auth/sign-in/email", { body, headers });
}

/** Signs in and returns the Cookie header of the session. */
export async function signIn(api: Api, email: string, password = ownerPassword): Promise<string> {
  const answer = await postSignIn(api, { email, password });
  if (answer.status !== 200) throw new Error(`sign-in answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
}

/** The session of a new person with `role` in a tenant. */
export async function signInAs(app: App, api: Api, tenantId: string, role: Role): Promise<string> {
  const email = `${role}-${newId()}@example.org`;
  await createOwner(app.db, { tenantId, email, password: ownerPassword });
  if (role !== "owner") {
    const user = (await userByEmail(app.db, email))!;
    await sql`delete from members where user_id = ${user.id}`.execute(app.db);
    await insertMember(app.db, { id: newId(), tenantId, userId: user.id, role });
  }
  return signIn(api, email);
}

import { z } from "zod";
import type { Executor } from "../db/database.ts";
import { newId } from "../ids.ts";
import { hashPassword } from "./password.ts";
import { insertMember, insertUser, userByEmail } from "./queries.ts";

const email = z.email("must be an e-mail address").max(254, "must have at most 254 characters");
const password = z.string().min(8, "must have at least 8 characters").max(128, "must have at most 128 characters");

/**
 * Makes a person an owner of a tenant. A person who exists already (by e-mail, lower case) keeps their password.
 * Returns the user's id and the address as stored. Throws a ZodError for a bad address or password.
 */
export async function createOwner(
  on: Executor,
  input: { tenantId: string; email: string; password: string },
): Promise<{ userId: string; email: string; existed: boolean }> {
  const address = email.parse(input.email).toLowerCase();
  const known = await userByEmail(on, address);
  const userId = known?.id ?? newId();
  if (known === undefined) {
    const passwordHash = await hashPassword(password.parse(input.password));
    const name = address.slice(0, address.indexOf("@"));
    await insertUser(on, { id: userId, email: address, name, accountId: newId(), passwordHash });
  }
  await insertMember(on, { id: newId(), tenantId: input.tenantId, userId, role: "owner" });
  return { userId, email: address, existed: known !== undefined };
}

import { z } from "zod";
import type { Executor } from "../db/database.ts";
import { newId } from "../ids.ts";
import { parseInput } from "../input.ts";
import { hashPassword } from "./password.ts";
import { insertMember, insertUser, userByEmail } from "./queries.ts";

const address = z.object({
  email: z.email("must be an e-mail address").max(254, "must have at most 254 characters").toLowerCase(),
});
const firstPassword = z.object({
  password: z.string().min(8, "must have at least 8 characters").max(128, "must have at most 128 characters"),
});

/**
 * Makes a person an owner of a tenant. A person who exists already (by e-mail, lower case) keeps their password.
 * Returns the user's id and the address as stored. Throws `validation_failed` for a bad address or password.
 */
export async function createOwner(
  on: Executor,
  input: { tenantId: string; email: string; password: string },
): Promise<{ userId: string; email: string; existed: boolean }> {
  const { email } = parseInput(address, input);
  const known = await userByEmail(on, email);
  const userId = known?.id ?? newId();
  if (known === undefined) {
    const { password } = parseInput(firstPassword, input);
    const passwordHash = await hashPassword(password);
    const name = email.slice(0, email.indexOf("@"));
    await insertUser(on, { id: userId, email, name, accountId: newId(), passwordHash });
  }
  await insertMember(on, { id: newId(), tenantId: input.tenantId, userId, role: "owner" });
  return { userId, email, existed: known !== undefined };
}

import { z } from "zod";
import type { Executor } from "../../db/pool.ts";
import { invalidFields } from "../../errors.ts";
import { fault, faults } from "../../faults.ts";
import { newId } from "../../ids.ts";
import { parseInput } from "../../input.ts";
import { insertMember } from "../members/queries.ts";
import { emailAddress, hashPassword, newPassword } from "./credentials.ts";
import { insertUser, userByEmail } from "./queries.ts";

const address = z.object({ email: emailAddress });
const firstPassword = z.object({ password: newPassword });

/**
 * Makes a person an owner of a tenant and creates their account with `password`. With `mayExist`, an account that the
 * address already has is used and keeps its password. Only an operator may set `mayExist`: anyone who was invited
 * under an address may have created its account, and only an operator knows whether its holder is the right person.
 * Returns the user's id and the address as stored (lower case). Throws `validation_failed` for a bad address or
 * password, and for an account that exists.
 */
export async function createOwner(
  on: Executor,
  input: { tenantId: string; email: string; password: string; mayExist?: boolean },
): Promise<{ userId: string; email: string; existed: boolean }> {
  const { email } = parseInput(address, input);
  const known = await userByEmail(on, email);
  if (known !== undefined && input.mayExist !== true) throw accountExists(known);
  const userId = known?.id ?? (await createUser(on, { email, password: input.password, emailVerified: false }));
  if (userId === undefined) throw accountExists({ emailVerified: false });
  await insertMember(on, { id: newId(), tenantId: input.tenantId, userId, role: "owner" });
  return { userId, email, existed: known !== undefined };
}

function accountExists({ emailVerified }: { emailVerified: boolean }) {
  return invalidFields([fault("/email", emailVerified ? faults.verified_account() : faults.unverified_account())]);
}

/**
 * Creates an account that belongs to no tenant yet. `emailVerified`: the person came by an e-mailed link. Returns the
 * user's id; undefined if the address has got an account meanwhile. Throws `validation_failed` for a bad password.
 */
export async function createUser(
  on: Executor,
  input: { email: string; password: string; emailVerified: boolean; name?: string | undefined },
): Promise<string | undefined> {
  const { password } = parseInput(firstPassword, { password: input.password });
  const { email, emailVerified } = input;
  const id = newId();
  const name = input.name ?? email.slice(0, email.indexOf("@"));
  const passwordHash = await hashPassword(password);
  const user = { id, email, emailVerified, name, accountId: newId(), passwordHash };
  return (await insertUser(on, user)) ? id : undefined;
}

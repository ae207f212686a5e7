import { z } from "zod";
import type { Executor } from "../../db/pool.ts";
import { newId } from "../../ids.ts";
import { parseInput } from "../../input.ts";
import { insertMember } from "../members/queries.ts";
import { emailAddress, hashPassword, newPassword } from "./credentials.ts";
import { insertUser, userByEmail } from "./queries.ts";

const address = z.object({ email: emailAddress });
const firstPassword = z.object({ password: newPassword });

/**
 * Makes a person an owner of a tenant, and creates their account if their e-mail address has none. An existing account
 * keeps its password. Returns the user's id and the address as stored (lower case). Throws `validation_failed` for a
 * bad address or password.
 */
export async function createOwner(
  on: Executor,
  input: { tenantId: string; email: string; password: string },
): Promise<{ userId: string; email: string; existed: boolean }> {
  const { email } = parseInput(address, input);
  const known = await userByEmail(on, email);
  const userId = known?.id ?? (await createUser(on, { email, password: input.password }));
  await insertMember(on, { id: newId(), tenantId: input.tenantId, userId, role: "owner" });
  return { userId, email, existed: known !== undefined };
}

/**
 * Creates an account that belongs to no tenant yet. Returns the user's id. Throws `validation_failed` for a bad
 * password.
 */
export async function createUser(on: Executor, input: { email: string; password: string }): Promise<string> {
  const { password } = parseInput(firstPassword, { password: input.password });
  const id = newId();
  const name = input.email.slice(0, input.email.indexOf("@"));
  const passwordHash = await hashPassword(password);
  await insertUser(on, { id, email: input.email, name, accountId: newId(), passwordHash });
  return id;
}

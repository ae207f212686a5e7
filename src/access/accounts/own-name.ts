import { z } from "zod";
import type { App } from "../../app.ts";
import { expects, lineOfText, parseInput } from "../../input.ts";
import { requireSession } from "./own-sessions.ts";
import { updateName } from "./queries.ts";
import type { Caller, Sessions } from "./sessions.ts";

/** The name of a person. Pages show it with the person's address. */
export const personName = lineOfText(80);
const input = z.strictObject({ name: personName }, expects("a JSON object"));

/** Changes the caller's own name with `{ name }`. Throws `unauthenticated` and `validation_failed`. */
export async function changeOwnName(
  app: App,
  sessions: Sessions,
  caller: Caller,
  { body }: { body: unknown },
): Promise<void> {
  const { userId } = await requireSession(sessions, caller);
  const { name } = parseInput(input, body);
  await updateName(app.db, userId, name);
}

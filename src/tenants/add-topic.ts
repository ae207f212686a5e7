import { z } from "zod";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { noteDeed } from "../audit/note-deed.ts";
import { inTenant } from "../db/database.ts";
import { appError, invalidFields } from "../errors.ts";
import { newId } from "../ids.ts";
import { parseInput } from "../input.ts";
import { insertTopic, siteOfTenant } from "./queries.ts";

const newTopic = z.object({
  name: z.string().trim().min(1, "must not be empty").max(80, "must have at most 80 characters"),
});

/**
 * Adds a topic that readers of a site of the actor's tenant can choose. Returns its id. Throws `not_found`, and
 * `validation_failed` for a bad name or one that is taken.
 */
export async function addTopic(
  app: App,
  actor: Actor,
  input: { siteId: string; name: string },
): Promise<{ topicId: string }> {
  const { siteId } = input;
  const { name } = parseInput(newTopic, input);
  if ((await siteOfTenant(app.db, actor.tenantId, siteId)) === undefined) {
    throw appError("not_found", { message: `There is no site ${siteId}.` });
  }
  const topicId = newId();
  await inTenant(app.db, actor.tenantId, async (tx) => {
    if (!(await insertTopic(tx, { siteId, id: topicId, name }))) {
      throw invalidFields([{ path: "/name", message: `is the name of another topic of this site: ${name}` }]);
    }
    await noteDeed(tx, actor, "topic.added", { siteId, subjectId: topicId, details: { name } });
  });
  return { topicId };
}

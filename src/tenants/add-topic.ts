import { z } from "zod";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import { inTenant } from "../db/pool.ts";
import { appError, invalidFields } from "../errors.ts";
import { newId } from "../ids.ts";
import { parseInput } from "../input.ts";
import { insertTopic, lockTopics } from "./queries.ts";
import { topicName } from "./topic-name.ts";

const newTopic = z.object({ name: topicName });

/**
 * Adds a topic that readers of a site of the actor's tenant can choose; one of this name that was retired comes back with
 * its readers. Returns its id. Throws `not_found`, and `validation_failed` for a bad name or one that is taken.
 */
export async function addTopic(
  app: App,
  actor: Actor,
  input: { siteId: string; name: string },
): Promise<{ topicId: string }> {
  const { siteId } = input;
  const { name } = parseInput(newTopic, input);
  return inTenant(app.db, actor.tenantId, async (tx) => {
    if (!(await lockTopics(tx, actor.tenantId, siteId))) {
      throw appError("not_found", { message: `There is no site ${siteId}.` });
    }
    const topicId = await insertTopic(tx, { siteId, id: newId(), name });
    if (topicId === undefined) {
      throw invalidFields([{ path: "/name", message: `is the name of another topic of this site: ${name}` }]);
    }
    await recordAuditEvent(tx, actor, "topic.added", { siteId, subjectId: topicId, details: { name } });
    return { topicId };
  });
}

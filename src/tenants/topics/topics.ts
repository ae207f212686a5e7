import { z } from "zod";
import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { recordAuditEvent } from "../../audit/record-event.ts";
import { inTenant, type Tx } from "../../db/pool.ts";
import { type AppError, appError, invalidFields } from "../../errors.ts";
import { fault, faults, zodText } from "../../faults.ts";
import { isId, newId } from "../../ids.ts";
import { expects, parseInput } from "../../input.ts";
import { tenantById } from "../queries.ts";
import { countTopics, insertTopic, lockTopics, updateTopic } from "./queries.ts";

const topicName = z
  .string(zodText(faults.wrong_type({ type: "a string" })))
  .trim()
  .min(1, zodText(faults.empty()))
  .max(80, zodText(faults.too_long({ most: 80 })));

const newTopic = z.object({ name: topicName });

const topicChange = z.strictObject(
  {
    name: topicName.optional(),
    retired: z.literal(true, "can only be true: a topic comes back when its name is added again").optional(),
  },
  expects("a JSON object"),
);

/**
 * Adds a topic to a site of the actor's tenant. If a retired topic has this name, it comes back with its subscribers.
 * Returns the topic's id. Throws `not_found`, `topic_limit`, and `validation_failed` for an invalid or taken name.
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
    await enforceTopicLimit(tx, actor.tenantId, { siteId, name });
    const topicId = await insertTopic(tx, { siteId, id: newId(), name });
    if (topicId === undefined) throw nameTaken(name);
    await recordAuditEvent(tx, actor, "topic.added", { siteId, subjectId: topicId, details: { name } });
    return { topicId };
  });
}

/**
 * Renames a topic of a site of the actor's tenant (`{ name }`) or retires it (`{ retired: true }`). Readers and
 * campaigns can no longer choose a retired topic. Scheduled campaigns keep it, and its subscribers stay in case it
 * comes back. Throws `not_found`, and `validation_failed` for an invalid or taken name.
 */
export async function changeTopic(
  app: App,
  actor: Actor,
  { siteId, topicId, body }: { siteId: string; topicId: string; body: unknown },
): Promise<void> {
  if (!isId(siteId) || !isId(topicId)) throw appError("not_found");
  const change = parseInput(topicChange, body);
  await inTenant(app.db, actor.tenantId, async (tx) => {
    const changed = await updateTopic(tx, actor.tenantId, { siteId, topicId }, change);
    if (changed === "missing") throw appError("not_found", { message: "This topic is gone." });
    if (changed === "taken") throw nameTaken(change.name!);
    const event = change.retired ? "topic.retired" : "topic.renamed";
    await recordAuditEvent(tx, actor, event, { siteId, subjectId: topicId, details: { name: changed.name } });
  });
}

/**
 * How many retired topics a site may have for each topic of its limit. Retired topics stay, because their readers are
 * kept.
 */
export const retiredPerTopic = 9;

/** Throws `topic_limit`. The caller has locked the site's topics. */
async function enforceTopicLimit(tx: Tx, tenantId: string, topic: { siteId: string; name: string }): Promise<void> {
  const { topicLimit } = (await tenantById(tx, tenantId))!;
  const { used, others } = await countTopics(tx, topic);
  if (used >= topicLimit) throw appError("topic_limit");
  if (others < topicLimit * (1 + retiredPerTopic)) return;
  throw appError("topic_limit", { message: "The site has too many retired topics. Bring one back by its name." });
}

function nameTaken(name: string): AppError {
  return invalidFields([fault("/name", faults.topic_name_taken({ topic: name }))]);
}

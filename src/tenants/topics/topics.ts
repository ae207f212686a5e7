import { z } from "zod";
import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { recordAuditEvent } from "../../audit/record-event.ts";
import { inTenant } from "../../db/pool.ts";
import { type AppError, appError, invalidFields } from "../../errors.ts";
import { isId, newId } from "../../ids.ts";
import { expects, parseInput } from "../../input.ts";
import { insertTopic, lockTopics, updateTopic } from "./queries.ts";

const topicName = z
  .string("must be a string")
  .trim()
  .min(1, "must not be empty")
  .max(80, "must have at most 80 characters");

const newTopic = z.object({ name: topicName });

const topicChange = z.strictObject(
  {
    name: topicName.optional(),
    retired: z.literal(true, "can only be true: a topic comes back when its name is added again").optional(),
  },
  expects("a JSON object"),
);

/**
 * Adds a topic to a site of the actor's tenant. If a retired topic has this name, that one comes back with its
 * subscribers. Returns the topic's id. Throws `not_found`, and `validation_failed` for an invalid or taken name.
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
    if (topicId === undefined) throw nameTaken(name);
    await recordAuditEvent(tx, actor, "topic.added", { siteId, subjectId: topicId, details: { name } });
    return { topicId };
  });
}

/**
 * Renames a topic of a site of the actor's tenant (`{ name }`) or retires it (`{ retired: true }`). Readers and campaigns
 * can no longer choose a retired topic. Scheduled campaigns keep it, and its subscribers stay in case it comes back.
 * Throws `not_found`, and `validation_failed` for an invalid or taken name.
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

function nameTaken(name: string): AppError {
  return invalidFields([{ path: "/name", message: `is the name of another topic of this site: ${name}` }]);
}

import { z } from "zod";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import { inTenant } from "../db/pool.ts";
import { appError, invalidFields } from "../errors.ts";
import { isId } from "../ids.ts";
import { expects, parseInput } from "../input.ts";
import { updateTopic } from "./queries.ts";
import { topicName } from "./topic-name.ts";

const topicChange = z.strictObject(
  {
    name: topicName.optional(),
    retired: z.literal(true, "can only be true: a topic comes back when its name is added again").optional(),
  },
  expects("a JSON object"),
);

/**
 * Renames a topic of a site of the actor's tenant by `{ name }`, or retires it by `{ retired: true }`: nobody can choose it any more, neither readers nor
 * campaigns. What is scheduled to it goes out, and who chose it is kept for the case that it comes back. Throws `not_found`, and
 * `validation_failed` for a bad name or one that is taken.
 */
export async function changeTopic(
  app: App,
  actor: Actor,
  { siteId, topicId, body }: { siteId: string; topicId: string; body: unknown },
): Promise<void> {
  if (!isId(siteId) || !isId(topicId)) throw appError("not_found");
  const change = parseInput(topicChange, body);
  await inTenant(app.db, actor.tenantId, async (tx) => {
    const became = await updateTopic(tx, actor.tenantId, { siteId, topicId }, change);
    if (became === "missing") throw appError("not_found", { message: "This topic is gone." });
    if (became === "taken") {
      throw invalidFields([{ path: "/name", message: `is the name of another topic of this site: ${change.name}` }]);
    }
    const deed = change.retired ? "topic.retired" : "topic.renamed";
    await recordAuditEvent(tx, actor, deed, { siteId, subjectId: topicId, details: { name: became.name } });
  });
}

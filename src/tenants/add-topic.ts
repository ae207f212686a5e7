import { z } from "zod";
import type { App } from "../app.ts";
import { appError, invalidFields } from "../errors.ts";
import { newId } from "../ids.ts";
import { insertTopic, siteById } from "./queries.ts";

const topicName = z.string().trim().min(1, "must not be empty").max(80, "must have at most 80 characters");

/** Adds a topic that readers of a site can choose. Throws `not_found`, and `validation_failed` for a name that is taken. */
export async function addTopic(app: App, input: { siteId: string; name: string }): Promise<{ topicId: string }> {
  const name = topicName.parse(input.name);
  if ((await siteById(app.db, input.siteId)) === undefined) {
    throw appError("not_found", { message: `There is no site ${input.siteId}.` });
  }
  const topicId = newId();
  if (!(await insertTopic(app.db, { siteId: input.siteId, id: topicId, name }))) {
    throw invalidFields([{ path: "/name", message: `is the name of another topic of this site: ${name}` }]);
  }
  return { topicId };
}

import { z } from "zod";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { appError, invalidFields } from "../errors.ts";
import { expects, parseInput, uuid } from "../input.ts";
import { siteOfTenant } from "../tenants/sites/queries.ts";
import { decideStory, type Verdict } from "./decide-story.ts";

const previewInput = z.strictObject(
  { url: z.string(expects("a string")).min(1, "is required"), siteId: uuid.optional(), tenantId: uuid.optional() },
  expects("a JSON object"),
);

/** The audience is counted at most to here: a preview need not count ten million. */
const countAtMost = 1_000_000;

/**
 * What would become of a story: the verdict with its reasons, the article as it was read, the nudge that would be
 * written; with a siteId also the audience. Throws `tenant_mismatch`, `validation_failed` and `url_not_allowed`.
 */
export async function previewContent(app: App, actor: Actor, input: { body: unknown }): Promise<Verdict> {
  const { url, siteId, tenantId } = parseInput(previewInput, input.body);
  if (tenantId !== undefined && tenantId !== actor.tenantId) throw appError("tenant_mismatch");
  if (siteId !== undefined && (await siteOfTenant(app.db, actor.tenantId, siteId)) === undefined) {
    throw invalidFields([{ path: "/siteId", message: "is no site of this tenant" }]);
  }
  return decideStory(app, { url, tenantId: actor.tenantId, ...(siteId && { site: { siteId, countAtMost } }) });
}

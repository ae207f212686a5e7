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

/** The body of a preview as a caller writes it. */
export type PreviewBody = z.input<typeof previewInput>;

/** Where counting the audience stops: counting ten million would make a preview slow. */
const countAtMost = 1_000_000;

/**
 * Previews a story without creating a campaign: returns the decision with its reasons, the article, the notification,
 * and with a siteId the audience. Throws `tenant_mismatch`, `validation_failed` and `url_not_allowed`.
 */
export async function previewContent(app: App, actor: Actor, input: { body: unknown }): Promise<Verdict> {
  const { url, siteId, tenantId } = parseInput(previewInput, input.body);
  if (tenantId !== undefined && tenantId !== actor.tenantId) throw appError("tenant_mismatch");
  if (siteId !== undefined && (await siteOfTenant(app.db, actor.tenantId, siteId)) === undefined) {
    throw invalidFields([{ path: "/siteId", message: "is no site of this tenant" }]);
  }
  return decideStory(app, { url, tenantId: actor.tenantId, ...(siteId && { site: { siteId, countAtMost } }) });
}

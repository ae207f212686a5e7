import { z } from "zod";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { appError } from "../errors.ts";
import { isId } from "../ids.ts";
import { parseInput } from "../input.ts";
import { siteOfTenant } from "../tenants/sites/queries.ts";
import { writeTestToken } from "./test-token.ts";

const validForMs = 24 * 60 * 60 * 1_000;

const newLink = z.object({
  label: z
    .string()
    .trim()
    .min(1, "must not be empty")
    .max(80, "must have at most 80 characters")
    .regex(/^[^\p{Cc}\p{Bidi_Control}]*$/u, "must not contain control characters"),
});

/**
 * A link to the site of the actor's tenant that makes a test device of each browser which opens it and allows
 * notifications, within 24 hours. Throws `not_found` and `validation_failed`.
 */
export async function createTestLink(
  app: App,
  actor: Actor,
  input: { siteId: string; label: string },
): Promise<{ link: string; label: string; expiresAt: string }> {
  const { label } = parseInput(newLink, input);
  const site = isId(input.siteId) ? await siteOfTenant(app.db, actor.tenantId, input.siteId) : undefined;
  if (site === undefined) throw appError("not_found", { message: `There is no site ${input.siteId}.` });
  const expiresAtMs = Math.floor((app.now() + validForMs) / 1_000) * 1_000;
  const link = new URL(site.url);
  link.hash = `pressbell-test=${writeTestToken(app.secrets, { siteId: site.id, label, expiresAtMs })}`;
  return { link: link.href, label, expiresAt: new Date(expiresAtMs).toISOString() };
}

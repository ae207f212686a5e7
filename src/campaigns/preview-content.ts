import { z } from "zod";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { decideStory, type Verdict } from "../decision/decide-story.ts";
import { appError, invalidFields } from "../errors.ts";
import { faults, zodText } from "../faults.ts";
import { expects, parseInput, uuid } from "../input.ts";
import { decidedOn } from "./campaign-input.ts";
import { faultsOfFollowers, faultsOfReferences } from "./campaign-rules.ts";

const previewInput = z
  .strictObject(
    {
      ...decidedOn,
      url: z.string(expects("a string")).min(1, zodText(faults.required())),
      siteId: uuid.optional(),
      tenantId: uuid.optional(),
    },
    expects("a JSON object"),
  )
  .refine(({ siteId, topicIds = [], segment, followersOf }) => siteId || !(topicIds[0] || segment || followersOf), {
    path: ["siteId"],
    error: zodText(faults.required()),
  });

/** The body of a preview as a caller writes it. */
export type PreviewBody = z.input<typeof previewInput>;

/** The number at which counting the audience stops, because counting ten million readers would make a preview slow. */
const countAtMost = 1_000_000;

/**
 * Previews a story without creating a campaign. Returns the decision that a campaign with the same fields gets, with
 * its reasons, the article, the notification, and the audience if there is a siteId. Throws `tenant_mismatch`,
 * `validation_failed` and `url_not_allowed`.
 */
export async function previewContent(app: App, actor: Actor, input: { body: unknown }): Promise<Verdict> {
  const preview = parseInput(previewInput, input.body);
  const { url, tenantId, siteId, topicIds = [], segment, followersOf, class: ofClass, ...given } = preview;
  if (tenantId !== undefined && tenantId !== actor.tenantId) throw appError("tenant_mismatch");
  const wrong = [
    ...(await faultsOfReferences(app.db, actor.tenantId, { siteId, topicIds, segment })),
    ...faultsOfFollowers({ topicIds, followersOf }),
  ];
  if (wrong.length > 0) throw invalidFields(wrong);
  const readers = { topicIds, segment: segment || undefined, followersOf: followersOf || undefined };
  const site = siteId === undefined ? undefined : { siteId, ...readers, class: ofClass, countAtMost };
  return decideStory(app, { url, tenantId: actor.tenantId, given, ...(site && { site }) });
}

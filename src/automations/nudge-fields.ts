import { z } from "zod";
import { link } from "../campaigns/link.ts";
import { imageUrl, requiredText } from "../campaigns/nudge-text.ts";
import { maxBodyLength, maxTitleLength } from "../decision/nudge.ts";
import type { FieldFault } from "../errors.ts";
import { fault, faults } from "../faults.ts";
import { largestPayloadBytes, maxPayloadBytes } from "../runs/payload.ts";

/** A notification that a site writes once and an automation sends again and again. */
export type AutomatedNudge = { title: string; body: string; url: string; imageUrl: string | null };

/** The schemas of the fields of an AutomatedNudge. */
export const nudgeFields = {
  title: requiredText(maxTitleLength, faults.empty()),
  body: requiredText(maxBodyLength, faults.empty()),
  url: link(["https:", "http:"], faults.not_an_http_link()),
  imageUrl: imageUrl.nullish().transform((url) => url || null),
};

/** Returns the valid fields of an input. The caller checks them further, so that an answer has all faults. */
export function validFields<Shape extends z.ZodRawShape>(shape: Shape, input: unknown) {
  const fields = Object.entries(shape).map(([name, schema]) => [name, z.safeParse(schema, Object(input)[name]).data]);
  return Object.fromEntries(fields) as Partial<z.output<z.ZodObject<Shape>>>;
}

/**
 * Returns the fault of a notification that is too large for push services. Returns none if text or address are
 * missing.
 */
export function sizeFaults({ title, body, url, imageUrl = null }: Partial<AutomatedNudge>): FieldFault[] {
  if (!title || !body || !url) return [];
  const bytes = largestPayloadBytes({ title, body, url, imageUrl });
  if (bytes <= maxPayloadBytes) return [];
  return [fault(imageUrl ? "/imageUrl" : "/url", faults.nudge_too_large({ bytes, most: maxPayloadBytes }))];
}

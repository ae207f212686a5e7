import { invalidFields } from "../errors.ts";
import { maxPayloadBytes, payloadBytes } from "../runs/payload.ts";
import type { CampaignRecord } from "./campaign.ts";

/**
 * Refuses a nudge whose message no push service would take: here, not by every push service for every reader. Throws
 * `validation_failed` that names the field which can be shortened most.
 */
export function checkPayloadSize(nudge: Pick<CampaignRecord, "title" | "body" | "url" | "imageUrl">): void {
  const { title, body, url, imageUrl } = nudge;
  const bytes = payloadBytes({ title: title ?? "", body, url, imageUrl });
  if (bytes <= maxPayloadBytes) return;
  const message = `makes a message of ${bytes} bytes, and push services take ${maxPayloadBytes}: shorten url, imageUrl or text`;
  throw invalidFields([{ path: imageUrl === null ? "/url" : "/imageUrl", message }]);
}

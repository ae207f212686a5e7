import type { Reason } from "../../decision/checks/check.ts";
import type { AppError, ErrorCode, FieldFault } from "../../errors.ts";
import { blocks } from "./check-item.ts";

/**
 * Words for refusals whose messages address a program that uses the API. A feed sends items by itself, and a person
 * reads why an item was not sent.
 */
const wordsForItems: { [Code in ErrorCode]?: (details: Record<string, unknown>) => string } = {
  send_paused: ({ scope }) =>
    `Sends of this ${scope === "site" ? "site" : "publisher"} are paused. Lift the pause, so that stories go out.`,
  unavailable: () => "Too much was to be done at this moment. It is tried again by itself.",
  illegal_transition: () => "Its campaign was changed at this moment. It is looked at again by itself.",
  idempotency_key_reused: () => "Its campaign was changed at this moment. It is looked at again by itself.",
  validation_failed: () => "What it brings cannot be a notification. Correct it in the feed, or on its page:",
  internal: () => "A fault of Pressbell. It is tried again by itself; the log has it under the item's id.",
  fetch_failed: () => "Its page could not be read. Check that the page is public.",
};

/**
 * Returns the reason of an item for a refused operation, with the code of the refusal and words for the owner of the
 * feed.
 */
export function refusalReason({ code, message, details }: AppError): Reason {
  const faults = ((details.errors ?? []) as FieldFault[]).map((fault) => `${fault.path} ${fault.message}.`);
  return blocks(code, [wordsForItems[code]?.(details) ?? message, ...faults].join(" "));
}

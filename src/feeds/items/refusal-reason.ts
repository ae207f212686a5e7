import type { Reason } from "../../decision/checks/check.ts";
import type { AppError, ErrorCode, FieldFault } from "../../errors.ts";
import type { Message } from "../../messages.ts";
import { sendMessages } from "../../sends/messages.ts";
import { feedMessages as messages } from "../messages.ts";
import { blocks } from "./check-item.ts";

/** What an owner reads about each refusal that an item can meet: its own message addresses a program. */
const messagesOfItems: { [Code in ErrorCode]?: (details: Record<string, unknown>) => Message } = {
  send_paused: ({ scope }) => (scope === "site" ? messages.item_site_paused() : messages.item_tenant_paused()),
  unavailable: messages.item_service_busy,
  illegal_transition: messages.item_campaign_changed,
  idempotency_key_reused: messages.item_campaign_changed,
  validation_failed: messages.item_invalid,
  internal: messages.item_fault,
  fetch_failed: messages.item_page_unreadable,
  url_not_allowed: messages.item_url_not_allowed,
  site_removed: messages.item_site_removed,
  dpa_required: messages.item_no_agreement,
  class_limit: messages.item_class_limit,
  billing: ({ plan, audienceCap }) =>
    audienceCap === null ? sendMessages.plan_gone({ plan: String(plan) }) : messages.item_beyond_plan(),
};

/**
 * Returns the reason of an item for a refused operation, with the code of the refusal and words for the owner of the
 * feed.
 */
export function refusalReason({ code, message, details }: AppError): Reason {
  const why = messagesOfItems[code]?.(details) ?? messages.item_refused({ why: message });
  const faults = ((details.errors ?? []) as FieldFault[]).map((fault) => `${fault.path} ${fault.message}.`).join(" ");
  return blocks(code, faults === "" ? why : messages.item_with_faults({ why, faults }));
}

import { expect, test } from "vitest";
import { appError, type ErrorCode, errorRegistry } from "../../src/errors.ts";
import { refusalReason } from "../../src/feeds/items/refusal-reason.ts";

/** The errors with which createCampaign, sendCampaign and decideStory refuse an item. */
const refusals: ErrorCode[] = [
  ...(["site_removed", "dpa_required", "send_paused", "billing", "unavailable", "illegal_transition"] as const),
  ...([
    "idempotency_key_reused",
    "validation_failed",
    "fetch_failed",
    "internal",
    "url_not_allowed",
    "class_limit",
  ] as const),
];

test.each(refusals)("an item that is refused with %s does not tell the owner to send a request", (code) => {
  const { message, messageCode } = refusalReason(appError(code, { message: errorRegistry[code].message }));
  expect(messageCode).not.toBe("item_refused");
  expect(message).not.toMatch(/same key|requestId|Idempotency|forceSend|the request|send again|Try again|API/);
});

test("a refusal of fields names them, and a pause says whose it is", () => {
  const faults = { errors: [{ path: "/title", message: "must not be empty" }] };
  expect(refusalReason(appError("validation_failed", faults)).message).toMatch(/ \/title must not be empty\.$/);
  expect(refusalReason(appError("send_paused", { scope: "site" })).message).toContain("this site are paused");
  expect(refusalReason(appError("send_paused", { scope: "tenant" })).message).toContain("this publisher are paused");
});

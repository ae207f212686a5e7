import type { ErrorCode } from "../../../src/errors.ts";

/** Why something was refused, in the dashboard's words, with what to do here. Codes that are not here say it themselves. */
export const refusals = {
  send_paused: "Sends are paused. Lift the pause under Settings, then send it.",
  dpa_required: "Nothing can be sent yet: an owner has to accept the agreement on readers’ data under Settings.",
  billing: "This goes to more people than your plan allows. Choose fewer topics, or ask for a larger plan.",
  site_removed: "This site was removed: nothing is sent for it any more.",
  confirmation_required: "This goes to more people than one person may decide on. Ask a second person.",
  forbidden: "Your role does not allow this. Ask an owner.",
  request_over: "This request was decided, withdrawn or changed meanwhile. Look at the campaign again.",
  own_request: "You have asked for this yourself: another editor or owner decides.",
  illegal_transition: "Somebody has sent, cancelled or changed it meanwhile. Look at the campaign again.",
  changed: "It was changed after you had confirmed it. Look at it again, then send it.",
  late: "The service was away when it was to start. Look whether it is still news, then send it.",
} as const satisfies Partial<Record<ErrorCode | "changed" | "late", string>>;

type Refusal = keyof typeof refusals;

export function hasWords(code: string | null | undefined): code is Refusal {
  return Object.hasOwn(refusals, code ?? "");
}

/** Returns the words for a refusal with this code. */
export function wordsOfRefusal(code: string | null): string {
  return hasWords(code) ? refusals[code] : "Something went wrong. Try again.";
}

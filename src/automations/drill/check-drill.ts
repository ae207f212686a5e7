import { defineMessages, type Message, said } from "../../messages.ts";
import { type FinalCode, finalCode, isFinal, pendingCode } from "../../runs/ledger/codes.ts";
import { messageOfCode } from "../../runs/messages.ts";
import { type DrillFailure, type DrillRow, drillSeconds, drillSteps, type FailedStep } from "./drill.ts";

/** The facts about a running drill. `code`: the code of its message; null while the message is in no batch. */
export type DrillFacts = Pick<DrillRow, "plannedAt" | "sentAt" | "acceptedAt" | "displayedAt" | "expectsDisplay"> & {
  now: Date;
  isLate: boolean;
  runPlannedAt: Date | null;
  /** Whether the run has ended or no longer exists. */
  runEnded: boolean;
  planGivenUp: boolean;
  code: number | null;
  isDisplayed: boolean;
};

/** `failed`: the step that was not reached; null if the drill passed. */
type DrillEnd = { failedStep: FailedStep | null; failedCode: number | null };

export type CheckedDrill = Pick<DrillRow, "plannedAt" | "sentAt" | "acceptedAt" | "displayedAt"> & {
  end: DrillEnd | null;
};

/** Final codes of messages that a push service has seen, or may have seen. */
const postedCodes: number[] = [
  ...[finalCode.accepted, finalCode.notFound, finalCode.gone, finalCode.badRequest, finalCode.payloadTooLarge],
  ...[finalCode.unauthorized, finalCode.forbidden, finalCode.redirected, finalCode.refused, finalCode.dropped],
  ...[finalCode.waitTooLong, finalCode.uncertain],
];

/**
 * Returns the steps that a drill has reached, each with the time at which it was first seen, and how the drill ended
 * (`end` null: it has not).
 */
export function checkDrill(facts: DrillFacts): CheckedDrill {
  const { now, code, isDisplayed, expectsDisplay, isLate } = facts;
  const seen = (before: Date | null, isReached: boolean) => before ?? (isReached ? now : null);
  const isAccepted = isDisplayed || code === finalCode.accepted;
  const reached = {
    plannedAt: facts.plannedAt ?? facts.runPlannedAt ?? seen(null, isDisplayed),
    sentAt: seen(facts.sentAt, isAccepted || wasPosted(code)),
    acceptedAt: seen(facts.acceptedAt, isAccepted),
    displayedAt: seen(facts.displayedAt, isDisplayed),
  };
  if (reached.acceptedAt !== null && (reached.displayedAt !== null || !expectsDisplay))
    return { ...reached, end: { failedStep: null, failedCode: null } };
  // A push service may have accepted an uncertain message. If so, the display of the message shows it.
  const isRefused = facts.runEnded && !isAccepted && code !== finalCode.uncertain;
  if (!isLate && !isRefused) return { ...reached, end: null };
  const missing = drillSteps.find((step) => reached[`${step}At`] === null)!;
  return { ...reached, end: { failedStep: hasLeft(facts) ? "canary" : missing, failedCode: code } };
}

function wasPosted(code: number | null): boolean {
  return code !== null && code !== pendingCode && (!isFinal(code) || postedCodes.includes(code));
}

/** Returns whether the canary left after the drill had begun and before its message was sent. */
function hasLeft({ runEnded, runPlannedAt, planGivenUp, code }: DrillFacts): boolean {
  const isInNoBatch = runEnded && runPlannedAt !== null && code === null && !planGivenUp;
  return code === finalCode.unsubscribed || isInNoBatch;
}

const minutes = drillSeconds / 60;

/** The text about each step that was not reached, with what to do, for pages, commands and e-mails. */
export const drillTexts = {
  drill_canary:
    "The last fire drill had no canary: its test device is no longer subscribed. An owner can choose another one in the settings.",
  drill_planned:
    "The last fire drill was not planned within {minutes} minutes: no worker took it up. Nothing is sent to readers either. Ask your operator whether a worker runs and reaches the database.",
  drill_sent:
    "The last fire drill was planned, but not sent within {minutes} minutes. Ask your operator whether a worker runs, and what the run waits for.",
  drill_accepted:
    "The last fire drill was sent, but no push service accepted it within {minutes} minutes. Ask your operator what the push service answers, and whether the service reaches it.",
  drill_displayed:
    "A push service accepted the last fire drill, but the canary has not reported within {minutes} minutes that it was displayed. Check that the device is on and online, allows notifications of the site, and reaches Pressbell.",
  drill_sent_refused: "The last fire drill was planned, but not sent. {cause}",
  drill_accepted_refused: "The last fire drill was sent, but the push service did not accept it. {cause}",
} as const;

const drillMessages = defineMessages(drillTexts);

/** Returns why a drill failed, and what to do; null if it passed. */
export function messageOfDrill({
  failedStep,
  failedCode,
}: Pick<DrillRow, "failedStep" | "failedCode">): Message | null {
  if (failedStep === null) return null;
  if (failedStep === "canary") return drillMessages.drill_canary();
  const hasCause = failedCode !== null && isFinal(failedCode) && failedCode !== finalCode.uncertain;
  if (hasCause && (failedStep === "sent" || failedStep === "accepted"))
    return drillMessages[`drill_${failedStep}_refused`]({ cause: messageOfCode(failedCode as FinalCode) });
  return drillMessages[`drill_${failedStep}`]({ minutes });
}

/** Returns the failure of a drill in the form of the API; null if it passed. */
export function failureOf(drill: Pick<DrillRow, "failedStep" | "failedCode">): DrillFailure | null {
  const message = messageOfDrill(drill);
  return message && { step: drill.failedStep!, ...said(message) };
}

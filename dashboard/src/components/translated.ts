import type { Param, Said } from "../../../src/messages.ts";
import { words } from "../words/words.ts";

/** Formats a day or a moment of a sentence, both in ISO 8601. */
type FormatTime = (time: string) => string;

/** Matches a day or a moment. */
const isoParam = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?Z)?$/;

/**
 * Returns a message of the service in the language of the page. One that has no translation stays English, with its
 * times formatted, and before the sign-in none has one. The code may be that of an error, for which the dashboard has
 * words of its own.
 */
export function translated({ message, messageCode, params }: Said, formatTime: FormatTime): string {
  const shown = Object.entries(params).map(([name, param]) => [name, shownParam(param, formatTime)]);
  const ofErrors: Record<string, string> = words.refusals?.ofCodes ?? {};
  const text = words.said?.[messageCode] ?? ofErrors[messageCode] ?? withTimes(message, params, formatTime);
  return typeof text === "string" ? text : text(Object.fromEntries(shown));
}

function shownParam(param: Param, formatTime: FormatTime): string | number {
  if (typeof param === "object") return translated({ ...param, messageCode: param.code }, formatTime);
  return isTime(param) ? formatTime(param) : param;
}

/** Formats those parameters of an English sentence that are times. */
function withTimes(message: string, params: Record<string, Param>, formatTime: FormatTime): string {
  return Object.values(params).reduce<string>((sentence, param) => {
    if (typeof param === "object") return withTimes(sentence, param.params, formatTime);
    return isTime(param) ? sentence.replaceAll(param, formatTime(param)) : sentence;
  }, message);
}

/** Returns whether a value is a day or a moment in ISO 8601. */
export function isTime(param: unknown): param is string {
  return typeof param === "string" && isoParam.test(param) && !Number.isNaN(Date.parse(param));
}

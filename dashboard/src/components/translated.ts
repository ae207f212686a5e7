import type { Param } from "../../../src/messages.ts";
import { words } from "../words/words.ts";

/** A sentence of the service. Without a code, its English text is looked up. */
export type Sentence = { message: string; messageCode?: string; params?: Record<string, Param> };

/** Formats a day or a moment of a sentence, both in ISO 8601. */
type FormatTime = (time: string) => string;

/** Matches a day or a moment in ISO 8601, but not one that is part of an address. */
const iso = /(?<![\w/.=-])\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?Z)?(?![\w/-])/g;
/** Matches a parameter that is a day or a moment. */
const isoParam = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?Z)?$/;

/**
 * Returns a sentence of the service in the language of the page. A sentence without a translation stays English, with
 * its times formatted, and before the sign-in no sentence has a translation.
 */
export function translated({ message, messageCode, params = {} }: Sentence, formatTime: FormatTime): string {
  if (messageCode === undefined) {
    return lookedUp(message).replace(iso, (found) => (Number.isNaN(Date.parse(found)) ? found : formatTime(found)));
  }
  const shown = Object.entries(params).map(([name, param]) => [name, shownParam(param, formatTime)]);
  return words.said?.format?.(messageCode, Object.fromEntries(shown)) ?? withTimes(message, params, formatTime);
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

function isTime(param: string | number): param is string {
  return typeof param === "string" && isoParam.test(param) && !Number.isNaN(Date.parse(param));
}

function lookedUp(sentence: string): string {
  for (const { pattern, translation } of words.said?.patterns ?? []) {
    const found = pattern.exec(sentence);
    if (found !== null) return translation.replace(/\{(\d)\}/g, (_, at) => lookedUp(found[Number(at)] ?? ""));
  }
  return sentence;
}

import IntlMessageFormat from "intl-messageformat";
import { expect, test } from "vitest";
import { type Sentence, translated } from "../../dashboard/src/components/translated.ts";
import { decision } from "../../dashboard/src/words/de/messages/decision.ts";
import { feeds } from "../../dashboard/src/words/de/messages/feeds.ts";
import { loadWords } from "../../dashboard/src/words/words.ts";
import { drillMessages, refusedMessages } from "../../src/automations/drill/check-drill.ts";
import { alertMessages } from "../../src/dashboard-api/alert-messages.ts";
import { reputationMessages } from "../../src/dashboard-api/overview.ts";
import { decisionMessages, decisionTexts } from "../../src/decision/messages.ts";
import { feedMessages, feedTexts } from "../../src/feeds/messages.ts";
import { type Message, said } from "../../src/messages.ts";
import { finalCode, finalCodes } from "../../src/runs/ledger/codes.ts";
import { viewWaiting } from "../../src/runs/view-run.ts";

await loadWords(["said"], "de");

const translate = (message: Sentence | string) =>
  translated(typeof message === "string" ? { message } : message, (time) => `<${time}>`);
const german = (message: Message) => translate(said(message));

type Element = { type: number; value: string; options?: Record<string, { value: Element[] }> };

/** Returns the parameters that a text names. Literal texts are of type 0, and the # of a plural is of type 7. */
function paramsOf(elements: Element[]): string[] {
  const names = elements.flatMap(({ type, value, options = {} }) => [
    ...(type === 0 || type === 7 ? [] : [value]),
    ...Object.values(options).flatMap((form) => paramsOf(form.value)),
  ]);
  return [...new Set(names)].toSorted();
}

const paramsOfText = (text: string) =>
  paramsOf(new IntlMessageFormat(text, "en", undefined, { ignoreTag: true }).getAst() as Element[]);

const texts = { ...decisionTexts, ...feedTexts };
const translations: Record<string, string> = { ...decision, ...feeds };

test("no two messages of the service have the same code", () => {
  expect(Object.keys(texts)).toHaveLength(Object.keys(decisionTexts).length + Object.keys(feedTexts).length);
});

test.each(Object.entries(texts))("%s has the same parameters in German", (code, text) => {
  expect(paramsOfText(translations[code]!)).toEqual(paramsOfText(text));
});

test("a message is said in German, with its times and the messages in it", () => {
  expect(german(decisionMessages.page_is_article())).toBe("Die Seite sagt, dass sie ein Artikel ist.");
  expect(german(decisionMessages.page_no_story({ what: decisionMessages.home_page() }))).toBe(
    "Das ist eine Startseite. Nehmen Sie die Adresse eines einzelnen Artikels.",
  );
  expect(german(decisionMessages.story_too_old({ day: "2026-11-20", hours: 24 }))).toBe(
    "Der Artikel ist vom <2026-11-20>, älter als 24 Stunden. Senden Sie einen neueren.",
  );
  expect(german(feedMessages.undated_items({ items: 1 }))).toMatch(/^1 Eintrag wurde nicht gesendet/);
  const why = feedMessages.item_embargo({ date: "2026-11-20T10:00:00.000Z" });
  expect(german(feedMessages.item_waited({ hours: 24, why }))).toMatch(
    /^Er hat gewartet, .* Stunden war\. Der Feed datiert den Eintrag auf <2026-11-20T10:00:00.000Z>, /,
  );
});

test("a message with an unknown code is said in English, with its times", () => {
  const why = { message: "Since 2026-11-20.", code: "since", params: { day: "2026-11-20" } };
  const message = "It waits. Since 2026-11-20. See /2026-11-21.";
  expect(german({ message, code: "of_tomorrow", params: { why, n: 3 } })).toBe(
    "It waits. Since <2026-11-20>. See /2026-11-21.",
  );
});

const sentences = [
  ...Object.values(finalCodes).map(({ message }) => message),
  ...Object.values(reputationMessages),
  ...[alertMessages.dpaRequired, alertMessages.tenantPaused, alertMessages.sitePaused],
  ...[alertMessages.keyInBrowser("CMS", "pbk_ab", "2030-01-31"), alertMessages.feedAsks("Sport")],
  ...[alertMessages.registrationsLimited(2_000), alertMessages.pushServiceBlocked("mozilla", "forbidden")],
  ...[alertMessages.pushServiceRefuses("fcm", 12, finalCode.forbidden), alertMessages.androidClicksFell("Bridge")],
  alertMessages.lateOnScreen(120),
  ...Object.values(drillMessages),
  ...Object.values(refusedMessages).map((message) => message(finalCodes[finalCode.forbidden].message)),
];

test.each(sentences)("“%s” is said in German", (sentence) => {
  expect(translate(sentence)).not.toBe(sentence);
  expect(translate(sentence)).not.toMatch(/\{\d\}/);
});

test("what a run and the overview say of a push service's limit is said in German", () => {
  const { message } = viewWaiting({
    pushService: "fcm",
    n: 1,
    blockedReason: null,
    restsUntil: new Date(0),
    isRateLimited: true,
  });
  expect(translate(message)).toMatch(/bis <1970-01-01T00:00:00.000Z> zu warten.*seltener senden/);
  expect(translate(alertMessages.pushServiceLimits("fcm"))).toMatch(/^Google \(Chrome.* nahm .*seltener senden/);
});

test("a sentence without a code and without a translation stays as it is", () => {
  expect(translate("A sentence of tomorrow.")).toBe("A sentence of tomorrow.");
});

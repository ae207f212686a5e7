import IntlMessageFormat from "intl-messageformat";
import { expect, test } from "vitest";
import { translated } from "../../dashboard/src/components/translated.ts";
import { alerts } from "../../dashboard/src/words/de/messages/alerts.ts";
import { decision } from "../../dashboard/src/words/de/messages/decision.ts";
import { feeds } from "../../dashboard/src/words/de/messages/feeds.ts";
import { sending } from "../../dashboard/src/words/de/messages/sending.ts";
import { loadWords } from "../../dashboard/src/words/words.ts";
import { drillTexts } from "../../src/automations/drill/check-drill.ts";
import { quarantineTexts } from "../../src/backup/quarantine.ts";
import { campaignTexts } from "../../src/campaigns/campaign.ts";
import { alertTexts, reputationTexts } from "../../src/dashboard-api/alert-messages.ts";
import { decisionMessages, decisionTexts } from "../../src/decision/messages.ts";
import { errorRegistry } from "../../src/errors.ts";
import { feedMessages, feedTexts } from "../../src/feeds/messages.ts";
import { type Message, said } from "../../src/messages.ts";
import { outcomeTexts, runTexts } from "../../src/runs/messages.ts";
import { sendMessages, sendTexts } from "../../src/sends/messages.ts";

await loadWords(["said", "refusals"], "de");

const german = (message: Message) => translated(said(message), (time) => `<${time}>`);

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

const ofService: Record<string, string>[] = [
  ...[decisionTexts, feedTexts, outcomeTexts, runTexts, sendTexts, drillTexts, alertTexts, reputationTexts],
  ...[campaignTexts, quarantineTexts],
];
const texts: Record<string, string> = Object.assign({}, ...ofService);
const translations: Record<string, string> = { ...decision, ...feeds, ...sending, ...alerts };

test("no two messages of the service have the same code", () => {
  expect(Object.keys(texts)).toHaveLength(ofService.flatMap(Object.keys).length);
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

test("what names an error is said in the words for that error", () => {
  const cause = { message: "The plan does not cover this audience.", code: "billing", params: {} };
  expect(german(sendMessages.will_fail({ cause }))).toMatch(
    /^Das geht an mehr .* Bleibt es dabei, geht der Push nicht/,
  );
  expect(Object.keys(texts).filter((code) => code in errorRegistry)).toEqual([]);
});

import { expect, test } from "vitest";
import { translated } from "../../dashboard/src/components/translated.ts";
import { loadWords } from "../../dashboard/src/words/words.ts";
import { readTexts } from "../../dashboard/words-plugin.ts";
import { drillTexts } from "../../src/automations/drill/check-drill.ts";
import { quarantineTexts } from "../../src/backup/quarantine.ts";
import { campaignTexts } from "../../src/campaigns/campaign.ts";
import { alertTexts, reputationTexts } from "../../src/dashboard-api/alert-messages.ts";
import { decisionMessages, decisionTexts } from "../../src/decision/messages.ts";
import { errorRegistry } from "../../src/errors.ts";
import { faults } from "../../src/faults.ts";
import { feedMessages, feedTexts } from "../../src/feeds/messages.ts";
import { type Message, said } from "../../src/messages.ts";
import { outcomeTexts, runTexts } from "../../src/runs/messages.ts";
import { sendMessages, sendTexts } from "../../src/sends/messages.ts";

await loadWords(["said", "refusals"], "de");

const german = (message: Message) => translated(said(message), (time) => `<${time}>`);

const ofService: Record<string, string>[] = [
  ...[decisionTexts, feedTexts, outcomeTexts, runTexts, sendTexts, drillTexts, alertTexts, reputationTexts],
  ...[campaignTexts, quarantineTexts],
];
const texts: Record<string, string> = Object.assign({}, ...ofService);

test("no two messages of the service have the same code", () => {
  expect(Object.keys(texts)).toHaveLength(ofService.flatMap(Object.keys).length);
});

test("the words have each message of the service, and its texts of refused addresses", () => {
  const urls = Object.keys(faults).filter((code) => code.startsWith("url_"));
  const { said: inWords } = readTexts("en");
  expect(inWords).toMatchObject(texts);
  expect(Object.keys(inWords!).toSorted()).toEqual([...Object.keys(texts), ...urls].toSorted());
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

import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { translated } from "../../dashboard/src/components/translated.ts";
import { loadWords } from "../../dashboard/src/words/words.ts";
import { drillMessages, refusedMessages } from "../../src/automations/drill/check-drill.ts";
import { alertMessages } from "../../src/dashboard-api/alert-messages.ts";
import { reputationMessages } from "../../src/dashboard-api/overview.ts";
import { finalCode, finalCodes } from "../../src/runs/ledger/codes.ts";
import { viewWaiting } from "../../src/runs/view-run.ts";

await loadWords(["said"], "de");

const checks = new URL("../../src/decision/checks/", import.meta.url);

/** Returns the sentences of the decision's checks in the source, with a number for each part that is computed. */
function sentencesOfChecks(): string[] {
  return readdirSync(checks).flatMap((file) =>
    readFileSync(new URL(file, checks), "utf8")
      .split("\n")
      .filter((line) => !/^\s*(?:when:|\*|\/)/.test(line))
      .flatMap((line) => [...line.matchAll(/(["`])((?:[A-Z]|\$\{)[^"`]* [^"`]*\.)\1/g)].map(([, , text]) => text!))
      .map((text) => text.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, "12")),
  );
}

const sentences = [
  ...sentencesOfChecks(),
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

test("the sentences of the sources are found", () => {
  expect(sentences.length).toBeGreaterThan(55);
});

// The advice for a page that is not a story. It is a part of sentences, and not a sentence by itself.
const advice = /^(?:This is 12\. 12|Use the address of one story.*|Let Pressbell read.*|Publish the story, or .*)$/;

test.each(sentences.filter((sentence) => !advice.test(sentence)))("“%s” is said in German", (sentence) => {
  expect(translated(sentence)).not.toBe(sentence);
  expect(translated(sentence)).not.toMatch(/\{\d\}/);
});

test("what a run and the overview say of a push service's limit is said in German", () => {
  const { message } = viewWaiting({
    pushService: "fcm",
    n: 1,
    blockedReason: null,
    restsUntil: new Date(0),
    isRateLimited: true,
  });
  expect(translated(message)).toMatch(/bis 1970-01-01T00:00:00.000Z zu warten.*seltener senden/);
  expect(translated(alertMessages.pushServiceLimits("fcm"))).toMatch(/^Google \(Chrome.* nahm .*seltener senden/);
});

test("what a sentence names stays, or is translated as well", () => {
  expect(translated("The page says that it is an article.")).toBe("Die Seite sagt, dass sie ein Artikel ist.");
  expect(translated("This is a home page. Use the address of one story.")).toBe(
    "Das ist eine Startseite. Nehmen Sie die Adresse eines einzelnen Artikels.",
  );
  expect(translated("The story is from 2026-11-20, older than 24 hours. Send a newer one.")).toContain("2026-11-20");
  expect(translated("A sentence of tomorrow.")).toBe("A sentence of tomorrow.");
});

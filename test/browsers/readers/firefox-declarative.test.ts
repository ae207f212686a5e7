import { expect, test } from "vitest";
import { testCorrections } from "./correction.ts";
import { testNudges } from "./nudge.ts";
import { browser, newReader, reader, testInBrowser } from "./open-browser.ts";
import { testReceive } from "./receive.ts";
import { testUpdates } from "./updates.ts";

/** With this preference, receipts, updates, tags and the worker are the same as without it. */
testInBrowser(
  "Firefox",
  { ability: testAbility, receive: testReceive, updates: testUpdates, correction: testCorrections, nudge: testNudges },
  { "dom.push.declarative.enabled": true },
);

function testAbility(): void {
  test("no page has a push manager of its own, so the worker shows all notifications", async () => {
    await newReader();
    await reader.visit();
    expect(await browser.inPage("return 'pushManager' in window")).toBe(false);
  });
}

import { beforeAll, expect, test } from "vitest";
import { present } from "../../fixtures/rows/change.ts";
import { changePreferences } from "../../fixtures/rows/subscribers.ts";
import { browser, fixture, newReader, reader, tenant } from "./open-browser.ts";

/** Runs code once the form is shown, with the form's shadow root as `form`. */
const inForm = <T>(body: string, ...args: unknown[]) =>
  browser.inPage<T>(
    `const root = () => document.querySelector("pressbell-preferences")?.shadowRoot;
    while (!root()?.querySelector("form, section > button")) await new Promise((resolve) => setTimeout(resolve, 20));
    const form = root(); ${body}`,
    ...args,
  );

/** Waits until the form shows this result. */
const said = (text: string) =>
  inForm(
    "while (form.querySelector('[role=status]').textContent !== args[0]) await new Promise((r) => setTimeout(r, 20))",
    text,
  );

/** A body that presses the button, and returns the text of the file that the page makes. */
const download = `
  const saved = new Promise((resolve) => { URL.createObjectURL = (blob) => (resolve(blob.text()), "#"); });
  [...form.querySelectorAll("button")].find(({ textContent }) => textContent === "Download my data").click();
  return saved;`;

/** Tests a reader on the site's page of preferences, in their browser. */
export function testPreferences(): void {
  beforeAll(async () => {
    await newReader();
    await reader.subscribe();
    const { site } = tenant;
    const line = `<script async src="${fixture.proxy.url}/sdk/preferences.js"></script>`;
    site.put("/push", (await (await fetch(`${site.origin}/`)).text()).replace("</h1>", `</h1>${line}`));
  });

  test("with a limit of three, ten sends show three notifications and one digest", async () => {
    await reader.visit("/push");
    await inForm(`form.querySelector("select").value = "3"; form.querySelectorAll("[type=radio]")[1].click();
      form.querySelector("form").requestSubmit();`);
    await said("Saved.");
    const runs = [];
    for (let n = 1; n <= 10; n++) runs.push(await tenant.send({ title: `Story ${n}` }));
    const counts = await Promise.all(runs.map(async (runId) => await tenant.whenCompleted(runId)));
    expect(counts.filter(({ accepted }) => accepted === 1)).toHaveLength(3);
    expect(counts.flatMap(({ reasons }) => reasons.map(({ reason }: { reason: string }) => reason))).toEqual(
      Array(7).fill("frequency_cap"),
    );
    await changePreferences(
      fixture.app,
      { siteId: tenant.publisher.siteId, waitsForDigest: true },
      { digestDueAt: present },
    );
    const digest = await reader.nudge("Site");
    expect(digest.body).toMatch(/^• Story \d+\n• Story \d+\n• Story \d+\n\+ 4$/);
    const titles = (await browser.nudges()).map(({ title }) => title);
    expect(titles.filter((title) => title.startsWith("Story"))).toHaveLength(3);
    expect(titles.filter((title) => title === "Site")).toHaveLength(1);
  });

  test("the form has what was saved, and a muted story is not shown again", async () => {
    await inForm(`form.querySelector("select").value = ""; form.querySelector("form").requestSubmit();`);
    await said("Saved.");
    await tenant.whenCompleted(await tenant.send({ title: "Polls open", storyId: "election" }));
    await reader.nudge("Polls open");
    await reader.visit("/push");
    expect(await inForm('return form.querySelector("select").value')).toBe("");
    expect(await inForm('return form.querySelectorAll("[type=radio]")[1].checked')).toBe(true);
    await inForm('form.querySelector("li button").click()');
    await said("Saved.");
    const next = await tenant.whenCompleted(await tenant.send({ title: "Polls close", storyId: "election" }));
    expect(next).toMatchObject({ accepted: 0, notSent: 1 });
    expect((await browser.nudges()).map(({ title }) => title)).not.toContain("Polls close");
  });

  test("the reader's data is a file with the prompt; deleting it leaves nothing, and asks no more", async () => {
    const data = JSON.parse(await inForm(download));
    expect(data).toMatchObject({
      subscription: { consent: "prompt" },
      consents: [{ texts: { accept: "Yes, please" } }],
    });
    expect(data.nudges.length).toBeGreaterThan(0);
    await browser.press("Delete my data");
    await said("What was known of you is deleted, and you will get no more notifications.");
    expect(await reader.call("state")).toBe("unsubscribed");
    expect((await tenant.whenCompleted(await tenant.send())).audience).toBe(0);
    await browser.press("Notify me");
    await reader.event("subscribed");
  });

  test("the reader leaves on the page", async () => {
    await browser.press("No more notifications");
    await said("You will get no more notifications.");
    expect(await reader.call("state")).toBe("unsubscribed");
    expect((await tenant.whenCompleted(await tenant.send())).audience).toBe(0);
  });
}

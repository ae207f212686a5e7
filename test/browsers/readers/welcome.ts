import { beforeAll, expect, test } from "vitest";
import { readWelcomeFigures } from "../../../src/automations/welcome/change-welcome.ts";
import { step, underWay, welcomeWith } from "../../campaigns/welcome-fixture.ts";
import { eventually } from "../../fixtures/eventually.ts";
import { present } from "../../fixtures/rows/change.ts";
import { changeWelcomes } from "../../fixtures/rows/subscribers.ts";
import { fixture, newReader, reader, tenant } from "./open-browser.ts";

/** Tests that a reader who subscribes in a browser is welcomed. */
export function testWelcome(): void {
  beforeAll(newReader);

  const makeDue = () => changeWelcomes(fixture.app, { isPlanned: true }, { dueAt: present });

  test("a new reader sees the welcome, and the step of a later day, which are counted by step", async () => {
    const { app } = fixture;
    const { siteId, actor } = tenant.publisher;
    const url = `${tenant.site.origin}/bridge`;
    await welcomeWith(app, tenant.publisher, step(0, { url }), step(3, { url, onlyUnclicked: true }));
    await reader.subscribe();
    await makeDue();
    expect(await reader.nudge("Day 0")).toEqual({ title: "Day 0", body: "Good to have you." });
    expect(await underWay(app, siteId)).toMatchObject([{ step: 2 }]);
    await makeDue();
    expect(await reader.nudge("Day 3")).toEqual({ title: "Day 3", body: "Good to have you." });
    await eventually(async () => {
      const { steps } = await readWelcomeFigures(app, actor, { siteId });
      return steps.length === 2 && steps.every(({ accepted, displayed }) => accepted === 1 && displayed === 1);
    });
  });
}

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { readPage } from "../docs/pages.ts";
import { openTestApp, settingsOf } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { startService } from "../fixtures/service-process.ts";

vi.setConfig({ hookTimeout: 90_000 });

const rulesFolder = fileURLToPath(new URL("../../deploy/prometheus/", import.meta.url));
const rules = await readPage("deploy/prometheus/pressbell.rules.yml");
const dashboard = await readPage("deploy/grafana/pressbell.json");

let scrape: string;

beforeAll(async () => {
  const service = await startService("start", settingsOf(await openTestApp()));
  // The service prints this line once the delivery threads are started.
  await service.printed(/delivering with/);
  // This request gives the histogram of routes a series.
  await fetch(`${service.url}/healthz`);
  scrape = await eventually(async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    // A scrape leaves out values that a busy database does not return in time.
    return text.includes("\npressbell_schedules_delayed") && text;
  });
  service.process.kill("SIGTERM");
});

test.each([
  ["alert rules", rules],
  ["dashboard", dashboard],
])("every metric that the %s name is in a scrape of the running service", (_name, text) => {
  const inScrape = new Set([...scrape.matchAll(/^(\w+)[{ ]/gm)].map(([, name]) => name!));
  const named = new Set([...text.matchAll(/\b(?:pressbell|nodejs)_\w+/g)].map(([name]) => name));
  expect(named.size).toBeGreaterThan(10);
  expect([...named].filter((name) => !inScrape.has(name))).toEqual([]);
});

test("docs/monitor.md has every metric of ours, and no other", async () => {
  const families = [...scrape.matchAll(/^# TYPE (pressbell_\w+)/gm)].map(([, name]) => name!);
  const page = await readPage("docs/monitor.md");
  const described = [...page.matchAll(/^- `(pressbell_\w+)/gm)].map(([, name]) => name!);
  expect(described.toSorted()).toEqual(families.toSorted());
});

test("exactly the metrics that docs/monitor.md marks as worth an alert have one", async () => {
  const page = await readPage("docs/monitor.md");
  const marked = [...page.matchAll(/^- `(pressbell_\w+)[^`]*` \(alert\)/gm)].map(([, name]) => name!);
  const alerted = new Set([...rules.matchAll(/pressbell_\w+/g)].map(([name]) => name.replace(/_(bucket|count)$/, "")));
  expect(marked.toSorted()).toEqual([...alerted].toSorted());
});

test("every alert leads to a section of a page that exists", async () => {
  const links = [...rules.matchAll(/runbook: (docs\/[\w-]+\.md)#([\w-]+)/g)];
  expect(links).toHaveLength([...rules.matchAll(/- alert:/g)].length);
  for (const [, page, section] of links) {
    const titles = [...(await readPage(page!)).matchAll(/^#{2,3} (.+)$/gm)].map(([, title]) => slugOf(title!));
    expect(titles).toContain(section);
  }
});

/** Returns the anchor that GitHub gives a heading. */
function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w -]/g, "")
    .replaceAll(" ", "-");
}

// The program comes from Debian's package prometheus, which .ci/promtool installs.
describe.runIf(existsSync("/usr/bin/promtool"))("promtool", () => {
  const run = (args: string[], input = "") => {
    const { status, stdout, stderr } = spawnSync("/usr/bin/promtool", args, { cwd: rulesFolder, input });
    return { status, text: `${stdout}${stderr}` };
  };

  test("finds nothing wrong with a scrape of the running service", () => {
    const { text } = run(["check", "metrics"], scrape);
    // prom-client chooses its own names, so only ours are checked.
    expect(text.split("\n").filter((line) => line.startsWith("pressbell_"))).toEqual([]);
    expect(text).not.toMatch(/error while linting/);
  });

  test("finds the alert rules valid, and each fires when it should", () => {
    const checked = run(["check", "rules", "pressbell.rules.yml"]);
    expect(checked).toMatchObject({ status: 0, text: expect.stringContaining("SUCCESS") });
    const tested = run(["test", "rules", "pressbell.rules.test.yml"]);
    expect(tested).toMatchObject({ status: 0, text: expect.stringContaining("SUCCESS") });
  });

  test("each alert has a unit test in which it fires", async () => {
    const tests = await readPage("deploy/prometheus/pressbell.rules.test.yml");
    const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!);
    for (const alert of alerts) expect(tests).toMatch(new RegExp(`alertname: ${alert}\\n\\s+exp_alerts:\\n`));
  });
});

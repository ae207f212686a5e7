import { type ExecFileException, execFile, spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readInstallSnippet } from "../../src/tenants/sites/install-snippet.ts";
import { createApi, openTestApp, settingsOf } from "../fixtures/app.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { startService } from "../fixtures/service-process.ts";
import { readPage } from "./pages.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const hasTools = ["bash", "curl"].every((tool) => spawnSync(tool, ["--version"]).error === undefined);

const page = await readPage("docs/tutorial.md");

/** Returns the commands of “The same from a script” in order: all code blocks marked as sh. */
function pastedBlocks(): string[] {
  return [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands]) => commands!);
}

/** The exit code of `curl --fail` for an answer of 400 or more. */
const curlRefused = 22;

/** Runs `script` in a shell. It ends at an answer of 400 or more, or at a command that fails. */
function paste(
  script: string,
  settings: Record<string, string>,
): Promise<{ error: ExecFileException | null; out: string }> {
  const strict = 'set -euo pipefail\ncurl() { command curl --fail-with-body "$@"; }\n';
  const PATH = [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter);
  const env = { PATH, HOME: process.env.HOME, ...settings } as NodeJS.ProcessEnv;
  return new Promise((resolve) => {
    execFile("bash", ["-c", strict + script], { env, cwd: root }, (error, stdout, stderr) => {
      resolve({ error, out: `${stdout}\n${stderr}` });
    });
  });
}

test.skipIf(!hasTools)(
  "the tutorial's script works, and a stop of a completed run is refused",
  async () => {
    const app = await openTestApp();
    const settings = settingsOf(app);
    // No worker runs here. A run without recipients is completed without one.
    const { url } = await startService("api", settings);
    const blocks = pastedBlocks();
    expect(blocks).toHaveLength(4);
    const script = blocks.join("").replace("URL=http://127.0.0.1:8080\n", `URL=${url}\n`);
    expect(script).toContain(url);
    const ids = `printf '\\n%s\\n' "$KEY $CAMPAIGN $RUN" >&2\n`;
    const stop = blocks.at(-1)!;
    const pasted = await paste(
      script.replace(stop, () => ids + stop),
      settings,
    );
    expect(pasted.error?.code).toBe(curlRefused);
    expect(pasted.out).toMatch(/"code":"illegal_transition".*"from":"completed"/);

    const [, key, campaignId, runId] = /^(pbk_\w+) (\S+) (\S+)$/m.exec(pasted.out)!;
    const api = createApi(url);
    const { body: campaign } = await api.call("GET", `/v1/campaigns/${campaignId}`, { key });
    expect(campaign).toMatchObject({ status: "sent", runId, title: "Bridge opens" });
    const { body: run } = await api.call("GET", `/v1/runs/${runId}`, { key });
    expect(run).toMatchObject({ runId, status: "completed" });
  },
  60_000,
);

/** Files with the words of the dashboard, and with the texts of the soft prompt. */
const screens = ["dashboard/src/words/en.json", "src/tenants/sites/reader-settings.ts"];

test("each label that the tutorial quotes is on a screen", async () => {
  const words = (await Promise.all(screens.map(readPage))).join("\n").replaceAll(/\{\w+\}|\$\{[^}]*\}/g, "1");
  const steps = page.split("## The same from a script")[0]!;
  // “Allow” is a word of the browser.
  const labels = [...steps.matchAll(/“([^”]+)”/g)].map(([, label]) => label!).filter((label) => label !== "Allow");
  expect(labels.length).toBeGreaterThan(10);
  const shown = (label: string) => words.includes(label.replace(/\.$/, ""));
  expect(labels.filter((label) => !shown(label))).toEqual([]);
});

test("the tutorial installs what the dashboard hands out", async () => {
  const app = await openTestApp();
  const { actor, siteId, tenantId } = await createPublisher(app);
  const snippet = await readInstallSnippet(app, actor, { siteId, base: "https://push.example.org" });
  for (const piece of [snippet.page, snippet.worker])
    expect(page).toContain(piece.replace(tenantId, "TENANT_ID").replace(siteId, "SITE_ID"));
  expect(page).toContain(`\`${snippet.workerFile}\``);
});

import { type ExecFileException, execFile, spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createApi, openTestApp, settingsOf } from "../fixtures/app.ts";
import { createSubscriptions } from "../fixtures/publisher.ts";
import { startService } from "../fixtures/service-process.ts";
import { readPage } from "./pages.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const hasTools = ["bash", "curl"].every((tool) => spawnSync(tool, ["--version"]).error === undefined);

/** Returns the commands of README.md in their order: all code blocks marked as sh. */
async function pastedBlocks(): Promise<string[]> {
  const page = await readPage("README.md");
  return [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands]) => commands!);
}

/** The exit code of `curl --fail` for an answer of 400 or more. */
const curlRefused = 22;

/** Runs `script` in a shell. An answer of 400 or more, or a command that fails, ends it. */
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
  "the commands of README.md work, and a stop of a completed run is refused",
  async () => {
    const app = await openTestApp();
    const settings = settingsOf(app);
    // There is no worker here: a run without recipients is completed without one.
    const { url } = await startService("api", settings);
    const blocks = await pastedBlocks();
    expect(blocks).toHaveLength(5);
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

test("README.md and the pages beside it link only to files that exist", async () => {
  for (const page of [
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "docs/operations.md",
    "docs/configuration.md",
    "docs/errors.md",
  ]) {
    const text = await readPage(page);
    const folder = page.includes("/") ? "docs/" : "";
    const links = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, path]) => path!);
    for (const path of links.filter((link) => !link.endsWith("/"))) {
      await expect(
        readPage(new URL(folder + path, "file:///").pathname.slice(1)),
        `${page}: ${path}`,
      ).resolves.toBeTypeOf("string");
    }
  }
});

test("the example of an import line in README.md has the fields of a subscription", async () => {
  const text = await readPage("README.md");
  const line = /^\{"endpoint".*\}$/m.exec(text)![0];
  const shape = JSON.parse(line);
  const [real] = createSubscriptions(1);
  expect(Object.keys(shape)).toEqual([...Object.keys(real!), "topics"]);
  expect(Object.keys(shape.keys)).toEqual(Object.keys(real!.keys));
});

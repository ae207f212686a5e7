import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { type Language, languages } from "../../site/languages.ts";
import { readCurl } from "../../site/request.ts";
import { readCampaignInput } from "../../src/campaigns/campaign-input.ts";
import { v1Routes } from "../../src/http/server.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { openDeliveringFixture } from "../conformance/fixture.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { subscribe } from "../fixtures/publisher.ts";
import { ownerEmail, ownerPassword } from "../fixtures/sign-in.ts";
import { readPage } from "./pages.ts";

const hasTool = (tool: string) => spawnSync(tool, ["--version"]).error === undefined;
const hasShell = hasTool("bash") && hasTool("curl");

const programs = { js: process.execPath, py: "python3", php: "php" };

/** Sends the request of an example in `folder`. */
type Send = (
  script: string,
  folder: string,
  variables: Record<string, string>,
) => Promise<{ status: number; body: unknown }>;

/** How the page's examples are sent: pasted into a shell, and as the site shows them in other languages. */
const senders: [name: string, send: Send][] = [
  ...(hasShell ? [["curl", paste] as [string, Send]] : []),
  // Both are installed in CI (.ci/languages).
  ...languages
    .filter(({ fence }) => fence === "js" || hasTool(programs[fence]))
    .map((language): [string, Send] => [language.name, (...example) => runProgram(language, ...example)]),
];

if (process.env.CI) {
  test("CI has every language of the examples", () => {
    expect(senders.map(([name]) => name)).toEqual(["curl", ...languages.map(({ name }) => name)]);
  });
}

/** One example of the page: the command, its answer, and which fields of the answer later variables take. */
type Example = {
  call: string;
  script: string;
  status: number;
  answer: unknown;
  keeps: [variable: string, field: string][];
};

const page = await readPage("docs/api.md");
const examples = readExamples();

function readExamples(): Example[] {
  return page
    .split(/^```sh\n/m)
    .slice(1)
    .map((part) => {
      const [script, rest] = splitOnce(part, "```\n");
      const answer = /^\s*Answer (\d{3})(?:, without a body\.|:\s+```json\n(.*?)^```)/ms.exec(rest);
      if (answer === null) throw new Error(`the page does not say what this answers:\n${script}`);
      const keeps = [...rest.matchAll(/`(\w+)` below is its `(\w+)`/g)].map(([, variable, field]): [string, string] => [
        variable!,
        field!,
      ]);
      const body: unknown = answer[2] === undefined ? undefined : JSON.parse(answer[2]);
      const path = /\$PRESSBELL([^"]+)"/.exec(script)![1]!;
      const method = /-X (\w+)/.exec(script)?.[1] ?? (script.includes(" -d ") ? "POST" : "GET");
      return { call: `${method} ${path}`, script, status: Number(answer[1]), answer: body, keeps };
    });
}

function splitOnce(text: string, at: string): [string, string] {
  const index = text.indexOf(at);
  return [text.slice(0, index), text.slice(index + at.length)];
}

/** Runs `script` in a shell in `folder`, and returns the answer of its curl command. */
async function paste(script: string, folder: string, variables: Record<string, string>) {
  const strict = `set -euo pipefail\ncurl() { command curl -w '\\n%{http_code}' "$@"; }\n`;
  const out = await runIn(folder, "bash", ["-c", strict + script], variables);
  const end = out.lastIndexOf("\n");
  return { status: Number(out.slice(end)), body: bodyOf(out.slice(0, end)) };
}

/** Runs the example in a language, whose programs print status and body. */
async function runProgram(language: Language, script: string, folder: string, variables: Record<string, string>) {
  const file = join(folder, `example.${language.fence === "js" ? "mjs" : language.fence}`);
  await writeFile(file, language.write(readCurl(script)));
  const out = await runIn(folder, programs[language.fence], [file], variables);
  return { status: Number(out.slice(0, 3)), body: bodyOf(out.slice(4).trim()) };
}

function bodyOf(text: string): unknown {
  return text === "" ? undefined : JSON.parse(text);
}

function runIn(folder: string, program: string, args: string[], variables: Record<string, string>): Promise<string> {
  const env = { PATH: process.env.PATH, ...variables } as NodeJS.ProcessEnv;
  return new Promise((resolve, reject) => {
    execFile(program, args, { env, cwd: folder }, (error, out) => (error === null ? resolve(out) : reject(error)));
  });
}

/**
 * Starts a service that delivers, and returns the variables of the page. The push service throttles, so that a run
 * stays open.
 */
async function openSetting(): Promise<Record<string, string>> {
  const fixture = await openDeliveringFixture();
  const { app, api, publisher, pushService } = fixture;
  const { tenantId, siteId, apiKey, vapidPublicKey } = publisher;
  const { topicId } = await addTopic(app, publisher.actor, { siteId, name: "Sport" });
  const readers = pushService.createSubscriptions(3, { applicationServerKey: vapidPublicKey });
  await subscribe(
    app,
    siteId,
    readers.map((reader) => ({ ...reader, topics: [topicId] })),
  );
  const devices = pushService.createSubscriptions(1, { applicationServerKey: vapidPublicKey });
  await subscribe(app, siteId, devices, "Newsroom");
  pushService.answerWith({ behaviour: "throttle", headers: { "retry-after": "600" }, match: { from: 1, to: 3 } });
  return {
    PRESSBELL: api.url,
    KEY: apiKey,
    TENANT: tenantId,
    SITE: siteId,
    TOPIC: topicId,
    STORY: fixture.story(),
    EMAIL: ownerEmail(tenantId),
    PASSWORD: ownerPassword,
  };
}

/**
 * Expects each member that the page shows to have a value of the same type; of lists, the first element. "…": more
 * members.
 */
function expectShown(shown: unknown, real: unknown, at: string): void {
  if (Array.isArray(shown)) {
    expect(real, at).toBeInstanceOf(Array);
    if (shown.length > 0) expectShown(shown[0], (real as unknown[])[0], `${at}/0`);
  } else if (typeof shown === "object" && shown !== null) {
    expect(real, at).toBeTypeOf("object");
    const members = Object.entries(shown).filter(([name]) => name !== "…");
    expect(Object.keys(real as object), at).toEqual(expect.arrayContaining(members.map(([name]) => name)));
    for (const [name, value] of members) expectShown(value, (real as Record<string, unknown>)[name], `${at}/${name}`);
  } else {
    expect(real === null ? null : typeof real, at).toBe(shown === null ? null : typeof shown);
  }
}

/** Fields of which the page must show the real value. */
const exactFields = [
  "code",
  "status",
  "decision",
  "mode",
  "kind",
  "duplicate",
  "urgency",
  "class",
  "ttlSeconds",
  "outcome",
  "audience",
];

function exactFieldsOf(body: unknown): Record<string, unknown> {
  const members = Object.entries((body ?? {}) as object);
  return Object.fromEntries(members.filter(([name, value]) => exactFields.includes(name) && typeof value !== "object"));
}

describe.each(senders)("docs/api.md in %s", (_name, send) => {
  let folder: string;
  let variables: Record<string, string>;

  beforeAll(async () => {
    variables = await openSetting();
    folder = await mkdtemp(join(tmpdir(), "pressbell-docs-"));
    afterFile(() => rm(folder, { recursive: true }));
  });

  test.each(examples)("answers $call with $status, as it says", async (example) => {
    // A run shows its progress, and ends after a stop, only after a moment.
    if (/\/stop$/.test(example.call)) await vi.waitFor(expectAccepted, { timeout: 40_000, interval: 100 });
    if (/^GET|\/updates$/.test(example.call)) await vi.waitFor(() => see(example), { timeout: 40_000, interval: 100 });
    else await see(example);
  });

  /** The first reader has got the notification: the others wait for their push service. */
  async function expectAccepted(): Promise<void> {
    const { PRESSBELL, KEY, RUN } = variables;
    const answer = await fetch(`${PRESSBELL}/v1/runs/${RUN}`, { headers: { authorization: `Bearer ${KEY}` } });
    expect(await answer.json()).toMatchObject({ accepted: 1 });
  }

  async function see({ script, status, answer, keeps }: Example): Promise<void> {
    const { status: seen, body } = await send(script, folder, variables);
    expect(seen, JSON.stringify(body)).toBe(status);
    expectShown(answer, body, "");
    expect(exactFieldsOf(body)).toMatchObject(exactFieldsOf(answer));
    const isWhole = typeof answer === "object" && !("…" in answer!);
    if (isWhole) expect(Object.keys(answer!).toSorted()).toEqual(Object.keys(body as object).toSorted());
    for (const [variable, field] of keeps) variables[variable] = (body as Record<string, string>)[field]!;
  }
});

test("docs/api.md has a heading and an example for every route under /v1, and for no other", () => {
  const headings = [...page.matchAll(/^### `(\w+ \/v1\/\S+)`$/gm)].map(([, route]) => route!);
  expect(headings.toSorted()).toEqual(v1Routes.map(({ method, path }) => `${method} ${path}`).toSorted());
  const sections = page.split(/^##+ /m).filter((section) => section.startsWith("`"));
  for (const section of sections) expect(section, section.split("\n")[0]!).toMatch(/^curl /m);
});

test("docs/api.md names only fields that the creation of a campaign has", () => {
  const [, section] = page.split("### `POST /v1/tenants/:tenantId/campaigns`");
  const fields = [...section!.split("```")[0]!.matchAll(/^\| `(\w+)` \|/gm)].map(([, field]) => field!);
  const { faults } = readCampaignInput(Object.fromEntries(fields.map((field) => [field, {}])));
  expect(faults!.map(({ path }) => path.slice(1)).toSorted()).toEqual(fields.toSorted());
  expect(faults!.filter(({ message }) => message.includes("not a field"))).toEqual([]);
});

import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { createSite } from "../../src/tenants/sites/sites.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { openDeliveringFixture } from "../conformance/fixture.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { subscribe } from "../fixtures/publisher.ts";
import { ownerEmail, ownerPassword } from "../fixtures/sign-in.ts";
import { readPage } from "./pages.ts";

/** Returns whether a program is installed. */
export const hasTool = (tool: string): boolean => spawnSync(tool, ["--version"]).error === undefined;

/** Sends the request of an example in `folder`. */
export type Send = (
  script: string,
  folder: string,
  variables: Record<string, string>,
) => Promise<{ status: number; body: unknown }>;

/** One example of the page: the command, its answer, and the fields of the answer that become variables. */
type Example = {
  call: string;
  script: string;
  status: number;
  answer: unknown;
  keeps: [variable: string, field: string][];
};

export const page = await readPage("docs/api.md");
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

/** Returns the JSON of an answer, or undefined if it has no body. */
export function bodyOf(text: string): unknown {
  return text === "" ? undefined : JSON.parse(text);
}

/** Runs a program in `folder`, and returns its output. Rejects if the program fails. */
export function runIn(
  folder: string,
  program: string,
  args: string[],
  variables: Record<string, string>,
): Promise<string> {
  const env = { PATH: process.env.PATH, ...variables } as NodeJS.ProcessEnv;
  return new Promise((resolve, reject) => {
    execFile(program, args, { env, cwd: folder }, (error, out) => (error === null ? resolve(out) : reject(error)));
  });
}

/**
 * Starts a service that delivers. Returns the variables of the page. The push service throttles, so that a run stays
 * open.
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
  const sister = await createSite(app, publisher.actor, app.db, { name: "Sister", url: "https://sister.example" });
  const devices = pushService.createSubscriptions(1, { applicationServerKey: vapidPublicKey });
  await subscribe(app, siteId, devices, "Newsroom");
  pushService.answerWith({ behaviour: "throttle", headers: { "retry-after": "600" }, match: { from: 1, to: 3 } });
  return {
    PRESSBELL: api.url,
    KEY: apiKey,
    TENANT: tenantId,
    SITE: siteId,
    SISTER: sister.siteId,
    TOPIC: topicId,
    STORY: fixture.story(),
    EMAIL: ownerEmail(tenantId),
    PASSWORD: ownerPassword,
  };
}

/**
 * Expects that each member that the page shows has a value of the same type in the real answer. Only the first
 * element of a list is compared. "…" stands for more members.
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

/** Moves the days that an example asks for to this year, in which the notifications of the test are sent. */
function ofThisYear(script: string): string {
  return script.replaceAll(/(?<=[?&](?:from|to)=)\d{4}/g, String(new Date().getUTCFullYear()));
}

/** Tests each example of docs/api.md in the order of the page. `send` sends the requests. */
export function testExamples(language: string, send: Send): void {
  describe(`docs/api.md in ${language}`, () => testWith(send));
}

function testWith(send: Send): void {
  let folder: string;
  let variables: Record<string, string>;

  beforeAll(async () => {
    variables = await openSetting();
    folder = await mkdtemp(join(tmpdir(), "pressbell-docs-"));
    afterFile(() => rm(folder, { recursive: true }));
  });

  test.each(examples)("answers $call with $status, as it says", async (example) => {
    // It takes a moment until a run shows its progress, or ends after a stop.
    if (/\/stop$/.test(example.call)) await vi.waitFor(expectAccepted, { timeout: 40_000, interval: 100 });
    if (/^GET|\/updates$/.test(example.call)) await vi.waitFor(() => see(example), { timeout: 40_000, interval: 100 });
    else await see(example);
  });

  /** Expects that the first reader has got the notification. The others wait for their push service. */
  async function expectAccepted(): Promise<void> {
    const { PRESSBELL, KEY, RUN } = variables;
    const answer = await fetch(`${PRESSBELL}/v1/runs/${RUN}`, { headers: { authorization: `Bearer ${KEY}` } });
    expect(await answer.json()).toMatchObject({ accepted: 1 });
  }

  async function see({ script, status, answer, keeps }: Example): Promise<void> {
    const { status: seen, body } = await send(ofThisYear(script), folder, variables);
    expect(seen, JSON.stringify(body)).toBe(status);
    expectShown(answer, body, "");
    expect(exactFieldsOf(body)).toMatchObject(exactFieldsOf(answer));
    const isWhole = typeof answer === "object" && !("…" in answer!);
    if (isWhole) expect(Object.keys(answer!).toSorted()).toEqual(Object.keys(body as object).toSorted());
    for (const [variable, field] of keeps) variables[variable] = (body as Record<string, string>)[field]!;
  }
}

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { decideStory } from "../src/decision/decide-story.ts";
import { articleTask } from "../src/decision/page/article.ts";
import type { Page } from "../src/egress/page/fetch-page.ts";
import { createLogger } from "../src/log.ts";
import { createParser, type Parser, type ParseTask } from "../src/parser.ts";
import { openTestApp, serve } from "./fixtures/app.ts";
import { afterFile } from "./fixtures/cleanup.ts";
import { eventually } from "./fixtures/eventually.ts";

const url = "https://news.example.com/story";
const light = Buffer.from("<!doctype html><title>Bridge opens</title>");
const endless = Buffer.from("A page that is never parsed to its end");
const endlessTask = taskOf<null>("data:text/javascript,export function parse() { for (;;); }");
const log = createLogger("silent");
/**
 * The deadline of the endless page. Other pages are parsed in this time, even if this process is stalled for a while.
 */
const deadlineMs = 5_000;

function newParser(withinMs?: number): Parser {
  const parser = createParser({ log, ...(withinMs === undefined ? {} : { deadlineMs: withinMs }) });
  afterFile(() => parser.close());
  return parser;
}

/** Returns a task for the function `parse` of a module. It runs only in the parser's threads. */
function taskOf<Out>(module: string): ParseTask<unknown, Out> {
  const { parse } = { parse: (): never => assert.fail("It runs in a thread.") };
  return { module: new URL(module), run: parse };
}

/** Returns a parser whose threads never finish the page `endless`. */
const withEndlessPages = (parser: Parser): Parser => ({
  ...parser,
  parse: (task, input, requester) =>
    Buffer.compare((input as { body: Buffer }).body, endless) === 0
      ? parser.parse(endlessTask as unknown as typeof task, input, requester)
      : parser.parse(task, input, requester),
});
const read = (parser: Parser, body: Buffer, requester?: string) =>
  parser.parse(articleTask, { url, body, robotsHeader: null }, requester);
/** Starts both threads, so that no deadline below includes the start of a thread. */
const warm = (parser: Parser) =>
  eventually(async () => {
    const parsed = await Promise.all([read(parser, light, "a"), read(parser, light, "b")]);
    return parsed.every(({ kind }) => kind === "parsed");
  });

test("a page that takes too long to parse is unreadable; others are checked meanwhile", async () => {
  const app = await openTestApp();
  const api = await serve(app);
  const parser = withEndlessPages(newParser(deadlineMs));
  await warm(parser);
  const decide = (body: Buffer, tenantId: string) => {
    const page: Page = { kind: "page", url, status: 200, contentType: "text/html", robotsHeader: null, body };
    return decideStory({ ...app, parser, pages: { fetchPage: async () => page } }, { url, tenantId });
  };
  let isChecked = false;
  const hanging = decide(endless, "a").finally(() => {
    isChecked = true;
  });
  expect(await decide(light, "b")).toMatchObject({ decision: "send", article: { title: "Bridge opens" } });
  expect((await api.call("GET", "/healthz")).status).toBe(200);
  expect(isChecked).toBe(false);
  expect(await hanging).toMatchObject({ decision: "skip", article: { url, title: null } });
  expect((await hanging).reasons).toEqual([
    {
      code: "unreachable",
      effect: "blocks",
      message: "The site's answer could not be read. Try again, or check how the site serves the page.",
      messageCode: "page_answer_unreadable",
      params: {},
    },
  ]);
  expect(await decide(light, "a")).toMatchObject({ decision: "send" });
}, 60_000);

test("the start of a thread does not count against a document", async () => {
  const slowToLoad =
    "await new Promise((resolve) => setTimeout(resolve, 1_500)); export function parse() { return 1; }";
  const parser = newParser(1_000);
  expect(await parser.parse(taskOf(`data:text/javascript,${slowToLoad}`), null)).toEqual({ kind: "parsed", value: 1 });
});

test("one requester uses one thread at a time: the other stays free", async () => {
  const parser = withEndlessPages(newParser(deadlineMs));
  await warm(parser);
  const order: string[] = [];
  const done = (name: string) => () => void order.push(name);
  await Promise.all([
    read(parser, endless, "a").then(done("the endless page of a")),
    read(parser, light, "a").then(done("the light page of a")),
    read(parser, light, "b").then(done("the light page of b")),
  ]);
  expect(order).toEqual(["the light page of b", "the endless page of a", "the light page of a"]);
}, 60_000);

test("a function that throws fails, and the process goes on", async () => {
  const parser = newParser();
  const broken = taskOf("data:text/javascript,export function parse() { throw new Error('broken') }");
  expect(await parser.parse(broken, null)).toEqual({ kind: "failed" });
  expect(await read(parser, light)).toMatchObject({ kind: "parsed", value: { article: { title: "Bridge opens" } } });
});

test("after close everything is busy, also what was under way", async () => {
  const parser = withEndlessPages(newParser());
  await warm(parser);
  const underWay = read(parser, endless);
  await parser.close();
  expect(await underWay).toEqual({ kind: "busy" });
  expect(await read(parser, light)).toEqual({ kind: "busy" });
});

test("a process that has parsed a page ends by itself, without a close", async () => {
  const at = (path: string) => new URL(`../src/${path}`, import.meta.url).href;
  const program = `
    const { createParser } = await import("${at("parser.ts")}");
    const { articleTask } = await import("${at("decision/page/article.ts")}");
    const parser = createParser({ log: console });
    const page = { url: "${url}", body: Buffer.from("<title>Bridge opens</title>"), robotsHeader: null };
    console.log((await parser.parse(articleTask, page)).value.article.title);
  `;
  const folder = mkdtempSync(join(tmpdir(), "pressbell-parser-"));
  afterFile(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "program.mjs"), program);
  const run = promisify(execFile)(process.execPath, [join(folder, "program.mjs")], { timeout: 50_000 });
  expect((await run).stdout).toBe("Bridge opens\n");
}, 60_000);

import { existsSync, globSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createSubscriptions } from "../fixtures/publisher.ts";
import { readPage } from "./pages.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const pages = ["*.md", "docs/**/*.md", "test/**/*.md", "bench/*.md"].flatMap((pattern) =>
  globSync(pattern, { cwd: root }),
);

/** Returns the anchors of a page's headings, as GitHub and the site form them. */
async function anchorsOf(path: string): Promise<string[]> {
  const text = (await readPage(path)).replace(/^```.*?^```$/gms, "");
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(" ", "-"),
  );
}

/** Returns what is wrong with a link of a page, or undefined if nothing is wrong. */
async function faultOf(page: string, link: string): Promise<string | undefined> {
  const [path, anchor] = link.split("#");
  const target = path === "" ? page : relative(root, join(root, dirname(page), path!));
  if (!existsSync(join(root, target))) return `${page}: ${link} does not exist`;
  if (anchor === undefined || !target.endsWith(".md") || (await anchorsOf(target)).includes(anchor)) return undefined;
  return `${page}: ${link} has no such heading`;
}

test("each link of each page leads to a file and a heading that exist", async () => {
  const faults: (string | undefined)[] = [];
  for (const page of pages) {
    const text = (await readPage(page)).replace(/^```.*?^```$/gms, "");
    const links = [...text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, link]) => link!);
    for (const link of links) faults.push(await faultOf(page, link));
  }
  expect(faults.length).toBeGreaterThan(200);
  expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
});

test("the program and deploy/ name only pages and headings that exist", async () => {
  const files = ["src/**/*.ts", "deploy/**/*.{yml,yaml}", "dashboard/src/**/*.{ts,tsx}"].flatMap((pattern) =>
    globSync(pattern, { cwd: root }),
  );
  const named: string[] = [];
  for (const file of files)
    for (const [, link] of (await readPage(file)).matchAll(/\b(docs\/[\w/-]+\.md(?:#[\w-]+)?)/g)) named.push(link!);
  expect(named.length).toBeGreaterThan(10);
  const faults = await Promise.all([...new Set(named)].map((link) => faultOf("README.md", link)));
  expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
});

test("the example of an import line in docs/moving.md has the fields of a subscription", async () => {
  const line = /`(\{"endpoint".*\})`/.exec(await readPage("docs/moving.md"))![1]!;
  const shape = JSON.parse(line);
  const [real] = createSubscriptions(1);
  expect(Object.keys(shape)).toEqual([...Object.keys(real!), "topics"]);
  expect(Object.keys(shape.keys)).toEqual(Object.keys(real!.keys));
});

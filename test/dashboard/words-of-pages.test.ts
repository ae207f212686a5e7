import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const sources = new URL("../../dashboard/src/", import.meta.url).pathname;

/** The folders of words that load with every page, with its frame, or with an answer that needs them. */
const shared = ["api", "components", "layout", "refusals", "said"];

type Loaded = { path: string; folders: string[] };

/** Returns the modules that a module loads when they are needed, with the folders of words that load with each. */
function laterOf(text: string): Loaded[] {
  return [...text.matchAll(/withWords\(\s*\(\) => import\("([^"]+)"\),([^)]*)\)/g)].map(([, path, folders]) => ({
    path: path!,
    folders: [...folders!.matchAll(/"(\w+)"/g)].map(([, folder]) => folder!),
  }));
}

/**
 * Returns the modules that a module imports, at once or later. Types, words, and modules that load together with their
 * words are left out.
 */
function importsOf(file: string, text: string): string[] {
  const withTheirWords = laterOf(text).map(({ path }) => path);
  const statics = [...text.matchAll(/^import (?!type )[^;]*?from "(\.[^"]+\.tsx?)"/gms)].map(([, path]) => path!);
  const later = [...text.matchAll(/import\("(\.[^"]+\.tsx?)"\)/g)].map(([, path]) => path!);
  return [...statics, ...later.filter((path) => !withTheirWords.includes(path))]
    .filter((path) => !path.includes("/words/"))
    .map((path) => join(dirname(file), path));
}

/** Returns the folders whose words a module uses, itself or through its imports. */
function foldersUsedBy(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return new Set();
  seen.add(file);
  const text = readFileSync(file, "utf8");
  const own = [...text.matchAll(/(?<![-/\w])words\.(\w+)/g)].map(([, folder]) => folder!);
  return new Set([...own, ...importsOf(file, text).flatMap((path) => [...foldersUsedBy(path, seen)])]);
}

const loading = ["pages.ts", "signed-out/pages.ts", "layout/shortcuts.tsx", "calendar/recurring-sends.tsx"].flatMap(
  (file) =>
    laterOf(readFileSync(join(sources, file), "utf8")).map((one) => ({
      ...one,
      file: join(sources, dirname(file), one.path),
    })),
);

test.each(loading)("$path is loaded with the words that it uses, and no others", ({ file, folders }) => {
  const used = [...foldersUsedBy(file)].filter((folder) => !shared.includes(folder));
  expect(folders.filter((folder) => !shared.includes(folder)).toSorted()).toEqual(used.toSorted());
});

test("the pages are found", () => {
  expect(loading.length).toBeGreaterThan(20);
});

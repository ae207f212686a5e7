import { readdir, readFile } from "node:fs/promises";
import { join, posix } from "node:path";

/**
 * Returns the links of a built site that lead to a heading which its page does not have, as `page → link`. VitePress itself
 * checks that the pages exist.
 */
export async function findDeadAnchors(folder: string, base: string): Promise<string[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".html"));
  const pages = new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), "utf8")] as const)),
  );
  return [...pages].flatMap(([name, text]) =>
    [...text.matchAll(/href="([^"]*)#([^"]+)"/g)]
      .filter(([, path]) => !/^\w+:/.test(path!))
      .filter(([, path, id]) => !pages.get(fileOf(path!, name, base))?.includes(` id="${decodeURIComponent(id!)}"`))
      .map(([, path, id]) => `${name} → ${path}#${id}`),
  );
}

/** The file that a link of the page `from` leads to. */
function fileOf(path: string, from: string, base: string): string {
  if (path === "") return from;
  const inSite = path.startsWith(base)
    ? path.slice(base.length)
    : posix.join(posix.dirname(from), path).replace(/^\.\//, "");
  return inSite === "" || inSite.endsWith("/") ? `${inSite}index.html` : `${inSite}.html`;
}

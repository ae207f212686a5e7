import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { languages } from "./languages.ts";
import { readCurl } from "./request.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
/** The pages as VitePress reads them. Not kept in Git: docs/ is where they are written. */
const pagesFolder = fileURLToPath(new URL("pages", import.meta.url));
/** Pages at the root of the repository; the README is the first page of the site. */
const rootPages = ["README.md", "CHANGELOG.md", "UPGRADE.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md"];

/** Writes the pages of the site: those of docs/, with links as the site has them and examples in each language. */
export async function writePages(): Promise<void> {
  await rm(pagesFolder, { recursive: true, force: true });
  const inDocs = (await readdir(join(root, "docs"), { recursive: true })).filter((name) => name.endsWith(".md"));
  for (const file of [...rootPages, ...inDocs.map((name) => `docs/${name}`)]) {
    const text = withLinks(await readFile(join(root, file), "utf8"), file);
    const to = join(pagesFolder, placeOf(file)!);
    await mkdir(dirname(to), { recursive: true });
    await writeFile(to, file === "docs/api.md" ? withLanguages(text) : text);
  }
  await cp(join(root, "docs/images"), join(pagesFolder, "images"), { recursive: true });
}

/** Where the site has a file of the repository; undefined where it does not. */
function placeOf(file: string): string | undefined {
  if (file === "README.md") return "index.md";
  // docs/upgrade.md says how an upgrade goes.
  if (file === "UPGRADE.md") return "upgrade-notes.md";
  if (rootPages.includes(file)) return file.toLowerCase();
  if (file === "docs/decisions" || file === "docs/decisions/") return undefined;
  return file.startsWith("docs/") ? file.slice("docs/".length) : undefined;
}

/** Points links at the site's pages. Of one that leads elsewhere in the repository only the text stays. */
function withLinks(text: string, file: string): string {
  return text.replaceAll(
    /(!?)\[([^\]]+)\]\((?!https?:|mailto:|#)([^)\s#]+)(#[^)\s]*)?\)/g,
    (_, image, label, path, anchor = "") => {
      const target = relative(root, join(root, dirname(file), path));
      const place = placeOf(target);
      if (place === undefined) return label;
      const link = relative(dirname(placeOf(file)!), place);
      return `${image}[${label}](${link.startsWith(".") ? link : `./${link}`}${anchor})`;
    },
  );
}

/** Adds to each request of the API reference the same one in other languages, as tabs. */
function withLanguages(text: string): string {
  return text.replaceAll(/^```sh\n(curl .*?)^```$/gms, (_, script: string) => {
    const request = readCurl(script);
    const tabs = languages.map(({ name, fence, write }) => `\`\`\`${fence} [${name}]\n${write(request)}\n\`\`\``);
    return `::: code-group\n\n\`\`\`sh [curl]\n${script}\`\`\`\n\n${tabs.join("\n\n")}\n\n:::`;
  });
}

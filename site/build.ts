import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findDeadAnchors } from "./anchors.ts";
import { writePages } from "./pages.ts";

/**
 * Builds the documentation as a static site into site/dist: `npm run docs:build [-- --base /docs/]`; with `--preview` serves it
 * and follows no change. VitePress is installed here and not in the repository's own dependencies, as nothing else needs it.
 */
const folder = fileURLToPath(new URL(".", import.meta.url));
const { values } = parseArgs({ options: { base: { type: "string", default: "/" }, preview: { type: "boolean" } } });
if (!/^\/(.+\/)?$/.test(values.base)) throw new Error("--base begins and ends with a slash, such as /docs/.");

const run = (program: string, args: string[]) => execFileSync(program, args, { cwd: folder, stdio: "inherit" });
if (!existsSync(`${folder}node_modules/vitepress`)) run("npm", ["ci", "--no-audit", "--no-fund"]);
await writePages();
const vitepress = `${folder}node_modules/vitepress/bin/vitepress.js`;
run(process.execPath, [vitepress, "build", ".", "--base", values.base]);
const dead = await findDeadAnchors(`${folder}dist`, values.base);
if (dead.length > 0) throw new Error(`Links to headings that do not exist:\n${dead.join("\n")}`);
if (values.preview) run(process.execPath, [vitepress, "preview", ".", "--base", values.base]);

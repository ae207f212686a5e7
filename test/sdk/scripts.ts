import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Both scripts of `sdk/`, as the service serves them. */
export async function buildScripts(): Promise<{ page: string; worker: string }> {
  const [page, worker] = await Promise.all([bundle("page"), bundle("worker")]);
  return { page, worker };
}

async function bundle(name: string): Promise<string> {
  const built = await build({
    entryPoints: [fileURLToPath(new URL(`../../sdk/${name}/main.ts`, import.meta.url))],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    write: false,
    legalComments: "none",
    charset: "utf8",
  });
  return built.outputFiles[0]!.text;
}

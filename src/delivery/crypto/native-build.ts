import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { access, constants, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ownSources = fileURLToPath(new URL("../../../native", import.meta.url));
const cacheFolder = fileURLToPath(new URL("../../../node_modules/.cache/encryptor", import.meta.url));
const ownUnits = ["encryptor.cc", "agreement8.cc"];
/** The longest time for the compiler. It usually takes six seconds, and ten times that on a busy machine. */
const compileAtMostMs = 120_000;

/** The reason why there is no native helper: one line, for the log. */
export class NoNativeHelper extends Error {}

export type NativeBuild = {
  /** The folder of built helpers. */
  folder?: string;
  compiler?: string;
  /** The headers that came with the running Node.js. */
  headers?: string;
  /** Ends the compiler when it aborts. */
  signal?: AbortSignal;
  /** For tests: the folder of the sources, and the files in it that are compiled. */
  sources?: string;
  units?: string[];
};

/**
 * Returns the file of the native helper for this Node.js and OpenSSL, and builds it if it does not exist. The file name
 * contains everything that the helper depends on. The file gets its name when it is complete, so that processes that
 * start at the same time do not collide. Throws NoNativeHelper.
 */
export async function buildNative(build: NativeBuild = {}): Promise<string> {
  const { folder = cacheFolder, compiler = "c++", headers = ownHeaders(), signal } = build;
  const { sources = ownSources, units = ownUnits } = build;
  if (process.platform !== "linux") throw new NoNativeHelper(`not built on ${process.platform}`);
  const file = join(folder, await fileName(sources, units));
  if (await isThere(file)) return file;
  await checkHeaders(headers);
  const draft = `${file}.${randomUUID()}`;
  try {
    await makeFolder(folder);
    const inputs = units.map((unit) => join(sources, unit));
    await compile(compiler, headers, inputs, draft, signal);
    await rename(draft, file);
    return file;
  } finally {
    await rm(draft, { force: true }).catch(() => {});
  }
}

function ownHeaders(): string {
  return join(dirname(process.execPath), "..", "include", "node");
}

async function fileName(sources: string, units: string[]): Promise<string> {
  const hash = createHash("sha256");
  const names = (await readdir(sources)).filter((name) => /\.(cc|h)$/.test(name));
  for (const name of new Set([...names.toSorted(), ...units])) hash.update(await readFile(join(sources, name)));
  hash.update(units.join());
  const { node, openssl } = process.versions;
  const source = hash.digest("hex").slice(0, 12);
  return `node-${node}-openssl-${openssl}-${process.platform}-${process.arch}-${source}.node`;
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
  } catch (error) {
    throw new NoNativeHelper(`its folder cannot be written: ${(error as Error).message}`);
  }
}

async function checkHeaders(headers: string): Promise<void> {
  for (const name of ["node_api.h", "openssl/ec.h"]) {
    if (!(await isThere(join(headers, name)))) throw new NoNativeHelper(`this Node.js came without ${name}`);
  }
}

/**
 * Compiles `inputs`. If that fails, compiles them without AVX-512, because an older compiler or assembler may not
 * know it. A static_assert in the source checks that the headers match the running Node.js and OpenSSL.
 */
async function compile(
  compiler: string,
  headers: string,
  inputs: string[],
  to: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const versions = [`-DFOR_NODE="${process.versions.node}"`, `-DFOR_OPENSSL="${process.versions.openssl}"`];
  // -O3 unrolls the loops over limbs. With -O2 the helper takes twice the time, because these loops stay rolled.
  const flags = ["-std=c++17", "-O3", "-shared", "-fPIC", "-fvisibility=hidden", "-I", headers, ...versions];
  const run = (...more: string[]) =>
    promisify(execFile)(compiler, [...flags, ...more, ...inputs, "-o", to], {
      timeout: compileAtMostMs,
      ...(signal && { signal }),
    });
  try {
    await run();
  } catch (error) {
    const why = whyNotCompiled(compiler, error as NodeJS.ErrnoException & { stderr?: string });
    await run("-DWITHOUT_AVX512").catch(() => Promise.reject(new NoNativeHelper(why)));
  }
}

function whyNotCompiled(compiler: string, error: NodeJS.ErrnoException & { stderr?: string }): string {
  if (error.code === "ENOENT") return `no C++ compiler (${compiler}) was found`;
  const lines = error.stderr?.split("\n") ?? [];
  return `it could not be compiled: ${(lines.find((line) => line.includes("error")) ?? error.message).trim()}`;
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

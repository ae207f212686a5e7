import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { App } from "../app.ts";
import { publicBase } from "../config.ts";
import { hasTenant } from "../tenants/queries.ts";

const tokenInput = z.object({ token: z.string().max(100) });

/**
 * The text whose signature is the token of the set-up link. The token is derived from SECRET_KEY, so every process
 * prints the same token and a restart does not end it. The token has no use once the installation has a tenant.
 */
const signedText = Buffer.from("set-up link");

function tokenOf(app: App): string {
  return app.secrets.sign(signedText).toString("base64url");
}

/**
 * Returns the link that opens the set-up. `address`: where the service listens, for an installation without
 * PUBLIC_URL.
 */
export function setUpLink(app: App, address: string): string {
  return `${publicBase(app.config, address)}/?setup=${tokenOf(app)}`;
}

/** Returns whether the body of a request, `{ token, … }`, has the token of the set-up link. */
export function hasSetUpToken(app: App, body: unknown): boolean {
  const { data } = tokenInput.safeParse(body);
  return data !== undefined && app.secrets.verify(signedText, Buffer.from(data.token, "base64url"));
}

/**
 * Logs the set-up link and writes it to DATA_DIR/setup-link (mode 600) while the installation has no tenant. Removes
 * the file if the installation has one. A folder that cannot be written to is no error, because processes with a
 * database of their own need no folder.
 */
export async function offerSetUp(app: App, address: string): Promise<void> {
  if (await hasTenant(app.db)) return removeSetUpLink(app);
  const link = setUpLink(app, address);
  const says = `Not set up yet. The owner opens this link, which works once: ${link}`;
  const tunnel = app.config.PUBLIC_URL === undefined ? tunnelTo(address) : "";
  try {
    const file = await writeLink(app.config.DATA_DIR, link);
    app.log.info(`${says} (also in ${file})${tunnel}`);
  } catch (error) {
    app.log.warn({ err: error }, `${says}${tunnel}`);
  }
}

/**
 * Returns how to reach `address` from a browser on another machine, if only this machine can reach it; otherwise "".
 */
function tunnelTo(address: string): string {
  const { hostname: name, port } = new URL(address);
  if (!["127.0.0.1", "[::1]", "localhost"].includes(name)) return "";
  const tunnel = `${port || 80}:${name}:${port || 80}`;
  return `. If the browser is on another machine, run there first: ssh -L ${tunnel} ${hostname()}`;
}

async function writeLink(dataDir: string, link: string): Promise<string> {
  const file = join(dataDir, "setup-link");
  const draft = `${file}.${process.pid}`;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  // An existing file keeps its mode when it is overwritten, so a new file replaces it.
  await rm(draft, { force: true });
  await writeFile(draft, `${link}\n`, { mode: 0o600, flag: "wx" });
  await rename(draft, file);
  return file;
}

/** Removes DATA_DIR/setup-link if it belongs to this installation. Another installation may share the folder. */
export async function removeSetUpLink(app: App): Promise<void> {
  const file = join(app.config.DATA_DIR, "setup-link");
  const link = await readFile(file, "utf8").catch(() => "");
  if (!link.includes(tokenOf(app))) return;
  await rm(file, { force: true }).catch((error: unknown) => {
    app.log.warn({ err: error }, `${file} could not be removed. Its link does not work any more`);
  });
}

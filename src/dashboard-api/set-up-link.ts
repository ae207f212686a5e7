import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { App } from "../app.ts";
import { publicBase } from "../config.ts";
import { hasTenant } from "../tenants/queries.ts";

const tokenInput = z.object({ token: z.string().max(100) });

/**
 * The token of the set-up link, base64url. It is derived from SECRET_KEY, so that every process prints the same one and
 * a restart does not end it. It is worth nothing once the installation has a tenant.
 */
const signedText = Buffer.from("set-up link");

function tokenOf(app: App): string {
  return app.secrets.sign(signedText).toString("base64url");
}

/** The link that opens the set-up. `address`: where the service listens, for an installation without PUBLIC_URL. */
export function setUpLink(app: App, address: string): string {
  return `${publicBase(app.config, address)}/?setup=${tokenOf(app)}`;
}

/** Whether the body of a request, `{ token, … }`, has the token of the set-up link. */
export function hasSetUpToken(app: App, body: unknown): boolean {
  const { data } = tokenInput.safeParse(body);
  return data !== undefined && app.secrets.verify(signedText, Buffer.from(data.token, "base64url"));
}

/**
 * Logs the set-up link and writes it to DATA_DIR/setup-link (mode 600), while the installation has no tenant. Once it
 * has one, removes the file. A folder that cannot be written to is not an error: processes with a database of their own
 * need none.
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

/** Says how `address`, if only this machine reaches it, answers on another one, where the browser is. */
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
  // A file that exists keeps its mode when it is overwritten, so a new one replaces it.
  await rm(draft, { force: true });
  await writeFile(draft, `${link}\n`, { mode: 0o600, flag: "wx" });
  await rename(draft, file);
  return file;
}

/** Removes DATA_DIR/setup-link, if it is of this installation: another one may share the folder. */
export async function removeSetUpLink(app: App): Promise<void> {
  const file = join(app.config.DATA_DIR, "setup-link");
  const link = await readFile(file, "utf8").catch(() => "");
  if (!link.includes(tokenOf(app))) return;
  await rm(file, { force: true }).catch((error: unknown) => {
    app.log.warn({ err: error }, `${file} could not be removed. Its link does not work any more`);
  });
}

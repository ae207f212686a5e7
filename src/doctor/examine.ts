import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Config, publicBase } from "../config.ts";
import { leaseEmbeddedPostgres } from "../db/embedded/lease.ts";
import { holdsCluster } from "../db/embedded/paths.ts";
import { type Connection, type Database, openDatabase } from "../db/pool.ts";
import { createPageFetcher } from "../egress/page/fetch-page.ts";
import { isId } from "../ids.ts";
import { createLogger } from "../log.ts";
import { createSecretBox } from "../secret-box.ts";
import { siteById } from "../tenants/sites/queries.ts";
import { version } from "../version.ts";
import { assessClock, readClock } from "./clock.ts";
import { assessConnections, readConnectionFacts } from "./connections.ts";
import { assessServer, readServerFacts } from "./database.ts";
import { checkDisk } from "./disk.ts";
import { type Finding, failed, ok, reasonOf } from "./finding.ts";
import { checkFirstStart } from "./first-start.ts";
import { checkHosts, checkReplica } from "./hosts.ts";
import { checkPooler } from "./pooler.ts";
import { checkPort } from "./port.ts";
import { checkPublicUrl } from "./public-url.ts";
import { checkPushServices, pushServicesToReach } from "./push-services.ts";
import { checkQuarantine } from "./quarantine.ts";
import { checkMigrations, checkSecretKey } from "./schema.ts";
import { assessServerSettings, readServerSettings } from "./server-settings.ts";
import { checkSiteInstallation } from "./site-installation.ts";
import { assessSubject, readOwnerSubjects } from "./vapid-subject.ts";

/** `now`: the clock of this machine, in ms since 1970. `siteId`: a site whose installation is checked too. */
export type ExamineOptions = { now: () => number; siteId?: string | undefined };

/**
 * Runs all checks on what `config` describes, and returns their findings in a fixed order. Changes nothing: it neither
 * migrates nor creates a database. It joins or starts an existing embedded database, and releases it at the end. Never
 * rejects because of a finding.
 */
export async function examine(config: Config, { now, siteId }: ExamineOptions): Promise<Finding[]> {
  const base = config.PUBLIC_URL === undefined ? undefined : publicBase(config, "");
  const findings = await Promise.all([
    [ok("version", `Pressbell ${version}, Node.js ${process.versions.node}`)],
    [ok("settings", "each has a value that is allowed")],
    examineDatabase(config, { now, siteId }),
    checkDisk(config.DATA_DIR, config.DATABASE_URL === undefined).then((finding) => [finding]),
    checkPort(config, isFirstStart(config)).then((finding) => [finding]),
    checkPushServices(pushServicesToReach(config.PUSH_SERVICES)),
    checkPublicUrl(base, now).then((finding) => [finding]),
  ]);
  return findings.flat();
}

/** Returns whether there is no database yet. An unreadable folder may hold one, which examineDatabase reports. */
function isFirstStart({ DATABASE_URL, DATA_DIR }: Config): boolean {
  try {
    return DATABASE_URL === undefined && !holdsCluster(DATA_DIR);
  } catch {
    return false;
  }
}

async function examineDatabase(config: Config, options: ExamineOptions): Promise<Finding[]> {
  const check = "database";
  const { DATABASE_URL, DATABASE_URL_DIRECT, DATA_DIR } = config;
  let release = async () => {};
  const hosts: Finding[] = [];
  try {
    if (DATABASE_URL !== undefined) {
      hosts.push(...(await checkHosts("DATABASE_URL", DATABASE_URL)));
      hosts.push(...(await checkHosts("DATABASE_URL_DIRECT", DATABASE_URL_DIRECT)));
      hosts.push(...(await checkReplica(config.DATABASE_URL_REPLICA)));
      const direct = DATABASE_URL_DIRECT === undefined ? undefined : { url: DATABASE_URL_DIRECT };
      return [...hosts, ...(await examineServer(config, { url: DATABASE_URL }, direct, options))];
    }
    if (!holdsCluster(DATA_DIR)) {
      const without = checkFirstStart(DATA_DIR);
      if (options.siteId !== undefined)
        without.push(failed("site", `there is no database in ${DATA_DIR}: set DATA_DIR`));
      return [...without, assessSubject(config.VAPID_SUBJECT, [])];
    }
    const lease = await leaseEmbeddedPostgres(DATA_DIR);
    release = lease.release;
    return await examineServer(config, lease.connection, undefined, options);
  } catch (error) {
    const advice = DATABASE_URL === undefined ? `see the log in ${DATA_DIR}` : "check DATABASE_URL and its server";
    const unusable = failed(check, `cannot be used (${reasonOf(error)}): ${advice}`);
    return [...hosts, unusable, assessSubject(config.VAPID_SUBJECT, [])];
  } finally {
    await release();
  }
}

async function examineServer(
  config: Config,
  connection: Connection,
  direct: Connection | undefined,
  options: ExamineOptions,
): Promise<Finding[]> {
  const log = createLogger("silent");
  const pooler = await checkPooler(connection, direct);
  const db = openDatabase({ connection: direct ?? connection, poolMax: 2, applicationName: "pressbell doctor", log });
  try {
    const schema = await checkMigrations(db);
    return [
      ...assessServer(await readServerFacts(db)),
      assessServerSettings(await readServerSettings(db)),
      assessConnections(await readConnectionFacts(db), config.WORKERS),
      pooler,
      ...assessClock(await readClock(db, options.now)),
      schema,
      ...(schema.level === "ok"
        ? await examineContent(config, db, options.siteId)
        : [assessSubject(config.VAPID_SUBJECT, [])]),
    ];
  } finally {
    await db.destroy();
  }
}

/** Runs the checks that read the tables. The schema must be up to date. */
async function examineContent(config: Config, db: Database, siteId: string | undefined): Promise<Finding[]> {
  const secretKey = config.SECRET_KEY ?? (await readFile(join(config.DATA_DIR, "secret.key"), "utf8")).trim();
  const findings = [
    await checkSecretKey(db, createSecretBox(secretKey)),
    await checkQuarantine(db),
    assessSubject(config.VAPID_SUBJECT, await readOwnerSubjects(db)),
  ];
  return siteId === undefined ? findings : [...findings, ...(await examineSite(config, db, siteId))];
}

async function examineSite(config: Config, db: Database, siteId: string): Promise<Finding[]> {
  const site = isId(siteId) ? await siteById(db, siteId.toLowerCase()) : undefined;
  if (site === undefined) return [failed("site", `there is no site ${siteId}: its id is in the dashboard's address`)];
  if (config.PUBLIC_URL === undefined)
    return [failed("site", "set PUBLIC_URL first: the site loads its script from there")];
  const pages = createPageFetcher({ allowHosts: config.ALLOW_HOSTS });
  try {
    return await checkSiteInstallation(pages, { siteUrl: site.url, siteId: site.id, base: publicBase(config, "") });
  } finally {
    await pages.close();
  }
}

import { sql } from "kysely";
import { type Executor, row, sharesOfProcess } from "../db/pool.ts";
import { connectionsOfThread } from "../delivery/worker/thread-connections.ts";
import { importConnections } from "../import-pool.ts";
import { type Finding, failed, ok, warning } from "./finding.ts";

/**
 * Connections of the server: how many this role may have, and how many Pressbell on other machines and other programs
 * have open.
 */
export type ConnectionFacts = { usable: number; ofOtherMachines: number; ofOthers: number };

/** Reads the facts about connections. `db` must not be a pooler, whose connections all come from one address. */
export async function readConnectionFacts(db: Executor): Promise<ConnectionFacts> {
  const facts = await row(
    sql<ConnectionFacts>`with own as (select client_addr from pg_stat_activity where pid = pg_backend_pid())
      select least(
          current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
            - coalesce(current_setting('reserved_connections', true)::int, 0),
          (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
          (select nullif(datconnlimit, -1) from pg_database where datname = current_database())) as usable,
        (count(*) filter (where is_ours and client_addr is distinct from (select client_addr from own)))::int
          as "ofOtherMachines",
        (count(*) filter (where not is_ours))::int as "ofOthers"
      from (select client_addr, application_name like 'pressbell%' as is_ours from pg_stat_activity
        where datid is not null) as open`,
    db,
  );
  return facts!;
}

/**
 * Returns the most connections of a `start` process with this number of delivery threads, including those for notices.
 */
export function connectionsOfProcess(threads: number): number {
  const { poolMax, readersMax, reservedMax } = sharesOfProcess;
  return poolMax + readersMax + reservedMax + importConnections + 2 + threads * connectionsOfThread(threads);
}

/**
 * Compares the connections that one process of this machine may open, plus those that are open elsewhere now, with
 * what the server allows. Processes of other machines may open more later. `doctor` on each of those machines counts
 * them.
 */
export function assessConnections({ usable, ofOtherMachines, ofOthers }: ConnectionFacts, threads: number): Finding {
  const check = "database connections";
  const own = connectionsOfProcess(threads);
  const open = `${ofOtherMachines} of Pressbell on other machines and ${ofOthers} of other programs are open`;
  const facts = `a process here may open ${own}, ${open}, the server gives ${usable}`;
  const advice = "raise max_connections (or the role's or database's limit), or lower WORKERS";
  if (own > usable) return failed(check, `${facts}: ${advice}`);
  if (own + ofOtherMachines + ofOthers > usable) return warning(check, `${facts}: ${advice}`);
  return ok(check, facts);
}

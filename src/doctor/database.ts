import { sql } from "kysely";
import { type Executor, row } from "../db/pool.ts";
import { type Finding, failed, ok, warning } from "./finding.ts";

/**
 * Facts that PostgreSQL reports. `synchronousCommit`: the value with which a session of this role and database begins.
 */
export type ServerFacts = {
  versionNumber: number;
  version: string;
  isReadOnly: boolean;
  isStandby: boolean;
  fsync: string;
  synchronousCommit: string;
  synchronousStandbys: string;
};

export async function readServerFacts(db: Executor): Promise<ServerFacts> {
  const facts = await row(
    sql<ServerFacts>`select current_setting('server_version_num')::int as "versionNumber",
      current_setting('server_version') as version, pg_is_in_recovery() as "isStandby",
      current_setting('transaction_read_only')::boolean as "isReadOnly", current_setting('fsync') as fsync,
      -- Our own sessions turn it on: reset_val is what others begin with.
      (select reset_val from pg_settings where name = 'synchronous_commit') as "synchronousCommit",
      current_setting('synchronous_standby_names') as "synchronousStandbys"`,
    db,
  );
  return facts!;
}

export function assessServer(facts: ServerFacts): Finding[] {
  return [assessVersion(facts), assessWrites(facts), assessDurability(facts)];
}

function assessVersion({ version, versionNumber }: ServerFacts): Finding {
  const check = "database version";
  if (versionNumber >= 150_000) return ok(check, `PostgreSQL ${version}`);
  return failed(
    check,
    `PostgreSQL ${version} is too old: upgrade it to 15 or later, or set DATABASE_URL to such a one`,
  );
}

function assessWrites({ isReadOnly, isStandby }: ServerFacts): Finding {
  const check = "database writes";
  if (isStandby) return failed(check, "this server is a standby: set DATABASE_URL to the primary, or promote this one");
  if (!isReadOnly) return ok(check, "read-write");
  return failed(
    check,
    "read-only: set default_transaction_read_only to off (alter database, alter role, options in DATABASE_URL)",
  );
}

function assessDurability({ fsync, synchronousCommit, synchronousStandbys }: ServerFacts): Finding {
  const check = "database durability";
  if (fsync === "off") {
    return failed(check, "fsync is off: a power loss destroys the database; set fsync = on and restart PostgreSQL");
  }
  if (synchronousCommit === "off") {
    return warning(
      check,
      "synchronous_commit is off: Pressbell turns it on for itself only; alter database … set synchronous_commit = on",
    );
  }
  if (synchronousCommit === "local" && synchronousStandbys !== "") {
    return warning(
      check,
      "synchronous_commit is local: a failover loses what the standby lacks, and it is sent again; set it to on",
    );
  }
  return ok(check, `fsync on, synchronous_commit ${synchronousCommit}`);
}

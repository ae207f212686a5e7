/** The limits of a session, ms: of a statement, which is also that of a pause within a transaction, and of a lock. */
export type SessionLimits = { statementMs: number; lockMs: number };

/** The limits of sessions whose work may take any time. */
export const noLimits: SessionLimits = { statementMs: 0, lockMs: 0 };

/**
 * Settings that our statements depend on: a server, a database or a role may have changed them. `jit`, on by default,
 * takes ten times as long as our statements. `pg` reads these formats.
 */
const fixed = {
  jit: "off",
  plan_cache_mode: "auto",
  timezone: "UTC",
  datestyle: "ISO, YMD",
  intervalstyle: "postgres",
  bytea_output: "hex",
};

/** Only of a session: within a transaction they are without effect, or too late. */
const ofSession = { default_transaction_isolation: "read committed", idle_session_timeout: "0" };

/**
 * Returns an SQL expression that sets all that our sessions depend on: for this transaction, or for the session. It turns
 * synchronous_commit on where it is off: with "off", PostgreSQL loses in a crash what it has acknowledged, such as intents,
 * whose messages would then be sent a second time without being counted. Stricter values stay.
 */
export function sessionSettings(scope: "transaction" | "session", { statementMs, lockMs }: SessionLimits): string {
  const set = (name: string, value: string) => `set_config('${name}', '${value}', ${scope === "transaction"})`;
  const settings = {
    ...fixed,
    ...(scope === "session" && ofSession),
    statement_timeout: `${statementMs}`,
    idle_in_transaction_session_timeout: `${statementMs}`,
    lock_timeout: `${lockMs}`,
  };
  // PostgreSQL has transaction_timeout from 17 on.
  return `concat(${Object.entries(settings).map(([name, value]) => set(name, value))},
    case when current_setting('transaction_timeout', true) <> '0' then ${set("transaction_timeout", "0")} end,
    case when current_setting('synchronous_commit') = 'off' then ${set("synchronous_commit", "on")} end)`;
}

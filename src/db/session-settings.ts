/**
 * The limits of a session, in ms. `statementMs`: for a statement, and for a pause in a transaction. `lockMs`: for a
 * lock.
 */
export type SessionLimits = { statementMs: number; lockMs: number };

/** The limits of sessions whose work may take any time. */
export const noLimits: SessionLimits = { statementMs: 0, lockMs: 0 };

/**
 * Settings that our statements depend on. A server, a database or a role may have changed them. `jit`, which is on by
 * default, takes ten times as long as our statements. `pg` reads these formats.
 */
const fixed = {
  jit: "off",
  plan_cache_mode: "auto",
  timezone: "UTC",
  datestyle: "ISO, YMD",
  intervalstyle: "postgres",
  bytea_output: "hex",
};

/** Settings of a session only. Within a transaction, they have no effect or come too late. */
const ofSession = { default_transaction_isolation: "read committed", idle_session_timeout: "0" };

/**
 * Returns an SQL expression that sets everything that our sessions depend on, for this transaction or for the
 * session. It turns synchronous_commit on if it is off. With "off", PostgreSQL can lose acknowledged writes in a
 * crash, such as intents. Their messages would then be sent a second time without being counted. Stricter values
 * stay.
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
  // PostgreSQL has transaction_timeout since version 17.
  return `concat(${Object.entries(settings).map(([name, value]) => set(name, value))},
    case when current_setting('transaction_timeout', true) <> '0' then ${set("transaction_timeout", "0")} end,
    case when current_setting('synchronous_commit') = 'off' then ${set("synchronous_commit", "on")} end)`;
}

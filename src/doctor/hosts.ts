import { asksForPrimary } from "../db/database-url.ts";
import { askHosts, type HostState } from "../db/primary.ts";
import { type Finding, failed, ok, reasonOf, warning } from "./finding.ts";

/** Asks each server of a URL with several hosts. Returns no finding for a URL with one host. */
export async function checkHosts(name: string, url: string | undefined): Promise<Finding[]> {
  if (url === undefined || !asksForPrimary(url)) return [];
  return [assessHosts(name, await askHosts(url))];
}

/** Asks the replica for reports. Returns no finding if there is none. */
export async function checkReplica(url: string | undefined): Promise<Finding[]> {
  if (url === undefined) return [];
  const check = "database replica";
  const [state] = await askHosts(url);
  const facts = `DATABASE_URL_REPLICA: ${wordsOf(state!)}`;
  if ("error" in state!) return [warning(check, `${facts}: fix it, as reports and exports use the primary meanwhile`)];
  if (state!.timeline === undefined) return [ok(check, facts)];
  return [warning(check, `${facts}: set it to a standby, as reports and exports use the primary meanwhile`)];
}

/** Assesses the states of the hosts. `name`: the setting that lists them. */
export function assessHosts(name: string, states: HostState[]): Finding {
  const check = "database hosts";
  const primaries = states.filter((state) => "timeline" in state && state.timeline !== undefined).length;
  const facts = `${name}: ${states.map(wordsOf).join("; ")}`;
  if (primaries > 1)
    return failed(check, `${facts}: stop all but the one that was promoted last, and make them standbys of it`);
  if (primaries === 0) return failed(check, `${facts}: promote a standby, or fix the way to the primary`);
  if (states.some((state) => "error" in state))
    return warning(check, `${facts}: fix the one that cannot be used, or take it out of the list`);
  return ok(check, facts);
}

function wordsOf(state: HostState): string {
  const { host, port } = state.place;
  if ("error" in state) return `${host}:${port} cannot be used (${reasonOf(state.error)})`;
  return `${host}:${port} ${state.timeline === undefined ? "takes no writes (a standby)" : "takes writes"}`;
}

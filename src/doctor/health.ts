import type { Probe } from "../egress/probe.ts";

/** Returns the version of the Pressbell that has answered a probe of /healthz; undefined if something else has. */
export function versionOfAnswer(probe: Probe): string | undefined {
  if (probe.kind !== "answered" || probe.status !== 200) return undefined;
  try {
    const { status, version } = Object(JSON.parse(probe.body)) as Record<string, unknown>;
    return status === "ok" && typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
}

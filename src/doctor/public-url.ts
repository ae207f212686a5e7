import { type Probe, probeUrl } from "../egress/probe.ts";
import { type Finding, failed, ok, warning } from "./finding.ts";
import { versionOfAnswer } from "./health.ts";

const check = "PUBLIC_URL";
const timeoutMs = 5_000;
const dayMs = 86_400_000;
const renewDays = 14;
const advice = "let the proxy pass / to Pressbell, with the path of PUBLIC_URL taken off";

/** Calls PUBLIC_URL/healthz from this machine. `publicUrl`: without a trailing slash, or undefined if unset. */
export async function checkPublicUrl(publicUrl: string | undefined, now: () => number): Promise<Finding> {
  if (publicUrl === undefined) {
    return warning(check, "unset: readers cannot subscribe, and no e-mail is sent; set it to https:// and your name");
  }
  return assessPublicUrl(publicUrl, await probeUrl(new URL(`${publicUrl}/healthz`), timeoutMs), now());
}

export function assessPublicUrl(publicUrl: string, probe: Probe, nowMs: number): Finding {
  if (probe.kind === "failed") return failed(check, describe(publicUrl, probe.code));
  if (probe.status !== 200)
    return failed(check, `${publicUrl}/healthz answers ${probe.status} instead of 200: start Pressbell, and ${advice}`);
  if (versionOfAnswer(probe) === undefined)
    return failed(check, `another program answers ${publicUrl}/healthz: ${advice}`);
  if (probe.certificateEndsAt === null) {
    return warning(check, `${publicUrl} is not https: browsers give no push permission; set up TLS (docs/install.md)`);
  }
  const days = Math.floor((probe.certificateEndsAt.getTime() - nowMs) / dayMs);
  const certificate = `${publicUrl} answers, its certificate ends in ${days} days`;
  return days < renewDays
    ? warning(check, `${certificate}: renew it, and see why that is not automatic`)
    : ok(check, certificate);
}

function describe(publicUrl: string, code: string): string {
  const { hostname } = new URL(publicUrl);
  if (code === "CERT_HAS_EXPIRED") return `the certificate of ${hostname} has ended: renew it`;
  if (/CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(code)) {
    return `the certificate of ${hostname} is not trusted (${code}): install one of a public CA for that name, with its chain`;
  }
  if (/^(ENOTFOUND|EAI_)/.test(code)) return `${hostname} does not resolve (${code}): add its DNS record`;
  return `${publicUrl}/healthz does not answer (${code}): start Pressbell and the proxy, and open the port`;
}

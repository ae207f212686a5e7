import { connectOrigin } from "../egress/push/connect-origin.ts";
import { mainOrigins } from "../subscribers/push-service.ts";
import { type Finding, ok, warning } from "./finding.ts";

export type PushServiceToReach = { name: string; origin: string };

/** WNS has no main host. This is the host of one region. */
const wnsRegion = "https://db5p.notify.windows.com";

/** Returns the known push services, and the operator's own. `further`: the origins of PUSH_SERVICES. */
export function pushServicesToReach(further: readonly string[]): PushServiceToReach[] {
  const known = { FCM: mainOrigins.fcm, Mozilla: mainOrigins.mozilla, Apple: mainOrigins.apple, WNS: wnsRegion };
  return [
    ...Object.entries(known).map(([name, origin]) => ({ name, origin })),
    ...further.map((origin) => ({ name: new URL(origin).host, origin })),
  ];
}

const timeoutMs = 4_000;

/**
 * Connects to all push services at once, as delivery does: DNS, TCP, verified TLS and the first HTTP/2 frame. Sends no
 * request.
 */
export function checkPushServices(services: PushServiceToReach[]): Promise<Finding[]> {
  return Promise.all(services.map(checkPushService));
}

function checkPushService({ name, origin }: PushServiceToReach): Promise<Finding> {
  const check = `push service ${name}`;
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const startedMs = performance.now();
    connectOrigin(new URL(origin), { timeoutMs, leanHttp2: true }, (result) => {
      if (result.kind !== "failed") result.socket.destroy();
      if (result.kind === "failed") return resolve(warning(check, describe(result.reason, hostname, port || "443")));
      resolve(ok(check, `${hostname} answers after ${Math.round(performance.now() - startedMs)} ms`));
    });
  });
}

/** Returns the message about a failed connection. `reason`: in the form `connect: CODE`. */
function describe(reason: string, hostname: string, port: string): string {
  const code = reason.replace(/^connect: /, "");
  if (/^(ENOTFOUND|EAI_)/.test(code)) return `${hostname} does not resolve (${code}): fix DNS (/etc/resolv.conf)`;
  if (/CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(code)) {
    return `the certificate of ${hostname} is not trusted (${code}): exclude it from TLS inspection, or name the inspecting CA in NODE_EXTRA_CA_CERTS`;
  }
  return `${hostname} cannot be reached (${code}): open outbound TCP port ${port} to it in the firewall`;
}

import { type Config, hostHere, inUrl } from "../config.ts";
import { listenForAMoment, probeUrl } from "../egress/probe.ts";
import { version } from "../version.ts";
import { type Finding, failed, ok, reasonOf, warning } from "./finding.ts";
import { versionOfAnswer } from "./health.ts";

const check = "port";
const timeoutMs = 5_000;

/**
 * Listens on HOST and PORT for a moment. `isFirstStart`: there is no database yet, so a program that has the port
 * cannot be the examined service. Otherwise the service may be running.
 */
export async function checkPort(
  { HOST, PORT }: Pick<Config, "HOST" | "PORT">,
  isFirstStart: boolean,
): Promise<Finding> {
  const fault = await listenForAMoment(HOST, PORT);
  const address = `${inUrl(HOST)}:${PORT}`;
  if (fault === undefined) return ok(check, `${address} is free`);
  if (fault.code === "EACCES") return failed(check, `this user may not listen on ${address}: set PORT to 1024 or more`);
  if (fault.code === "EADDRNOTAVAIL" || fault.syscall === "getaddrinfo")
    return failed(check, `HOST ${HOST} is no address of this machine: set it to 127.0.0.1, or to 0.0.0.0 for all`);
  if (fault.code !== "EADDRINUSE") return failed(check, `cannot listen on ${address} (${reasonOf(fault)})`);
  const taken = failed(check, `another program has ${address}: stop it, or set PORT to what is free`);
  if (isFirstStart) return taken;
  const answer = await probeUrl(new URL(`http://${hostHere(HOST)}:${PORT}/healthz`), timeoutMs);
  const running = versionOfAnswer(answer);
  if (running === undefined) return taken;
  if (running === version) return ok(check, `the service answers on ${address}`);
  return warning(check, `version ${running} answers on ${address}, and this is ${version}: restart the service`);
}

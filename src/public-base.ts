import type { Config } from "./config.ts";

/** PUBLIC_URL without a slash at its end, else `otherwise`: what stands before `/sdk/…` in addresses for browsers. */
export function publicBase(config: Config, otherwise: string): string {
  return (config.PUBLIC_URL ?? otherwise).replace(/\/+$/, "");
}

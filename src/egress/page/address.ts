import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Ranges that `range()` calls unicast, or may call so in another release, and that no public server has. */
const notPublic = [
  "168.63.129.16/32", // Azure's host agent: a public number that leads inside
  "192.0.0.0/24", // IETF protocol assignments, among them Oracle's metadata service
  "192.88.99.0/24", // 6to4 relays
  "2001::/23", // IETF protocol assignments: Teredo, ORCHID, benchmarking
  "2002::/16", // 6to4: an IPv4 address inside
  "3fff::/20", // documentation
].map((range) => ipaddr.parseCIDR(range));

/** All that has been given out for public IPv6. Outside lie ::1, ::127.0.0.1, ::ffff:…, NAT64, local and multicast. */
const givenOutIpv6 = ipaddr.parseCIDR("2000::/3");

/**
 * Is this the address of a server on the public internet?
 *
 * `address`: IPv4 with four decimal parts, or IPv6 without brackets; anything else is false. IPv6 forms that carry an
 * IPv4 address (mapped, compatible, NAT64, 6to4, Teredo) are false whatever they carry: no public name resolves to one.
 */
export function isPublicAddress(address: string): boolean {
  // ipaddr.js also reads "127.1" and "0x7f.1"; a resolver or a parsed URL never writes them.
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  if (parsed.kind() === "ipv6" && !parsed.match(givenOutIpv6)) return false;
  return !notPublic.some((range) => range[0].kind() === parsed.kind() && parsed.match(range));
}

/**
 * Returns whether `name` has the shape of a public DNS name (RFC 1035): at most 253 characters, in at least two labels of
 * 1 to 63. A single label can only be a name of the resolver's own network.
 */
export function isPublicName(name: string): boolean {
  const labels = name.split(".");
  return labels.length > 1 && name.length <= 253 && labels.every((label) => label.length > 0 && label.length <= 63);
}

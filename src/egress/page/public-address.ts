import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Ranges that `range()` reports as unicast, or may in another release, and in which no public server is. */
const nonPublicRanges = [
  "168.63.129.16/32", // Azure's host agent: a public address that leads to an internal service
  "192.0.0.0/24", // IETF protocol assignments, among them Oracle's metadata service
  "192.88.99.0/24", // 6to4 relays
  "2001::/23", // IETF protocol assignments: Teredo, ORCHID, benchmarking
  "2002::/16", // 6to4: contains an IPv4 address
  "3fff::/20", // documentation
].map((range) => ipaddr.parseCIDR(range));

/** The range of global IPv6 unicast. Excludes ::1, ::127.0.0.1, ::ffff:…, NAT64, local and multicast addresses. */
const globalIpv6 = ipaddr.parseCIDR("2000::/3");

/**
 * Whether `address` is that of a server on the public internet. `address`: IPv4 with four decimal parts, or IPv6
 * without brackets; false for anything else. False for all IPv6 forms that contain an IPv4 address (mapped, compatible,
 * NAT64, 6to4, Teredo), even a public one: no public name resolves to such an address.
 */
export function isPublicAddress(address: string): boolean {
  // ipaddr.js also parses "127.1" and "0x7f.1", which neither a resolver nor a parsed URL contains.
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  if (parsed.kind() === "ipv6" && !parsed.match(globalIpv6)) return false;
  return !nonPublicRanges.some((range) => range[0].kind() === parsed.kind() && parsed.match(range));
}

/**
 * Returns whether `name` has the shape of a public DNS name (RFC 1035): at most 253 characters, in at least two labels of
 * 1 to 63. A single label can only be a name of the resolver's own network.
 */
export function isPublicName(name: string): boolean {
  const labels = name.split(".");
  return labels.length > 1 && name.length <= 253 && labels.every((label) => label.length > 0 && label.length <= 63);
}

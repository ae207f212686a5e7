import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Ranges without public servers that `range()` reports as unicast, or may in another release. */
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
 * Returns whether `address` belongs to a server on the public internet. `address`: IPv4 with four decimal parts, or
 * IPv6 without brackets. Returns false for anything else. Returns false for all IPv6 forms that contain an IPv4
 * address (mapped, compatible, NAT64, 6to4, Teredo), even a public one, because no public name resolves to them.
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
 * Returns whether `name` has the form of a public DNS name (RFC 1035): at most 253 characters in two or more labels
 * of 1 to 63 characters. A single label can only be a name of the resolver's own network.
 */
export function isPublicName(name: string): boolean {
  const labels = name.split(".");
  return labels.length > 1 && name.length <= 253 && labels.every((label) => label.length > 0 && label.length <= 63);
}

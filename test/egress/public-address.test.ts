import { describe, expect, test } from "vitest";
import { isPublicAddress } from "../../src/egress/page/public-address.ts";

const publicAddresses = [
  "8.8.8.8",
  "1.1.1.1",
  "93.184.216.34",
  "100.63.255.255",
  "100.128.0.1",
  "172.15.255.255",
  "172.32.0.1",
  "2606:4700:4700::1111",
  "2a00:1450:4001:81b::200e",
  "2001:4860:4860::8888",
  "2001:200::1",
];

const notPublic: [kind: string, ...addresses: string[]][] = [
  ["unspecified", "0.0.0.0", "::", "0.1.2.3"],
  ["loopback", "127.0.0.1", "127.255.255.254", "::1", "0:0:0:0:0:0:0:1"],
  ["private", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.0.1"],
  ["link-local and metadata", "169.254.169.254", "169.254.170.2", "fe80::1", "fe80::1%eth0"],
  ["carrier NAT and its metadata", "100.64.0.1", "100.127.255.255", "100.100.100.200"],
  ["a cloud host's agent with a public address", "168.63.129.16"],
  ["reserved and documentation", "192.0.0.1", "192.0.0.192", "192.0.2.1", "198.51.100.1", "203.0.113.1"],
  ["benchmarks", "198.18.0.1", "198.19.255.255", "2001:2::1"],
  ["6to4 relay and 6to4", "192.88.99.1", "2002:7f00:1::", "2002:808:808::"],
  ["multicast, class E and broadcast", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", "ff02::1"],
  ["mapped IPv4, private or public", "::ffff:127.0.0.1", "::ffff:a9fe:a9fe", "::ffff:7f00:1", "::ffff:8.8.8.8"],
  ["compatible IPv4", "::127.0.0.1", "::7f00:1", "::8.8.8.8"],
  ["translated IPv4", "::ffff:0:127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::a9fe:a9fe"],
  ["Teredo", "2001:0:4136:e378:8000:63bf:3fff:fdd2"],
  ["ORCHID", "2001:10::1", "2001:20::1"],
  ["IPv6 documentation", "2001:db8::1", "3fff::1", "3fff:fff::1"],
  ["discard and segment routing", "100::1", "5f00::1"],
  ["site-local and unique local", "fec0::1", "fc00::1", "fd00:ec2::254"],
  ["IPv6 that is not allocated", "4000::1", "8000::1", "1000::1"],
  [
    "not an address as a resolver writes it",
    "",
    "localhost",
    "127.1",
    "0x7f.1",
    "2130706433",
    "8.8.8",
    "[::1]",
    "8.8.8.8 ",
  ],
];

describe("isPublicAddress", () => {
  test.each(publicAddresses)("%s is public", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each(notPublic)("%s is not public", (_kind, ...addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });
});

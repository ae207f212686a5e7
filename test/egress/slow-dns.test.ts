import { lookup as systemLookup } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { hashPassword, verifyPassword } from "../../src/access/accounts/credentials.ts";
import { createPageFetcher, type PageFetcherOptions } from "../../src/egress/page/fetch-page.ts";
import { createLookup } from "../../src/egress/page/lookup.ts";
import { createCertificate } from "../fixtures/certificate.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { startDnsServer } from "../fixtures/dns-server.ts";
import { eventually } from "../fixtures/eventually.ts";
import { startCanary, startPageServer, trust } from "./page-fixture.ts";

const unreachable = { kind: "unreachable", reason: "unreachable" };

function fetcher(options: Partial<PageFetcherOptions>) {
  const made = createPageFetcher({ allowHosts: [], ...options });
  afterFile(made.close);
  return made;
}

test("names whose DNS server is silent delay no sign-in, file read or look-up of a push service", async () => {
  const dns = await startDnsServer(() => "silent");
  // The look-ups end by themselves after 4.5 s. Fetches that wait for a slot then get one.
  const pages = fetcher({ dnsServers: [dns.address], slotWaitMs: 60_000 });
  const stored = await hashPassword("a password of an owner");
  let ended = 0;
  const fetches = Array.from({ length: 40 }, (_, i) =>
    pages.fetchPage(`https://slow-${i}.example/`, `tenant ${i % 10}`).finally(() => (ended += 1)),
  );
  const namesAsked = () => new Set(dns.questions.map((question) => question.split(" ")[1])).size;
  await eventually(async () => namesAsked() === 20);

  // Each of these calls needs a thread that getaddrinfo would have held. There are four threads, and two of them may do
  // look-ups.
  expect(process.getActiveResourcesInfo()).not.toContain("GetAddrInfoReqWrap");
  expect(await systemLookup("localhost")).toHaveProperty("address");
  expect(await verifyPassword(stored, "a password of an owner")).toBe(true);
  expect((await readFile(new URL(import.meta.url))).length).toBeGreaterThan(0);
  expect(namesAsked() - ended, "no look-up is under way beyond the slots").toBeLessThanOrEqual(20);

  await pages.close();
  expect(new Set((await Promise.all(fetches)).map(({ kind }) => kind))).toEqual(new Set(["unreachable"]));
});

test("a look-up ends with its fetch: a silent DNS server is asked once for both families", async () => {
  const dns = await startDnsServer(() => "silent");
  const lookup = createLookup([dns.address]);
  const questionsOf = (name: string) => dns.questions.filter((question) => question.endsWith(` ${name}`)).toSorted();
  const stop = new AbortController();
  const found = lookup("slow.example", { allowListed: false, signal: stop.signal });
  await eventually(async () => questionsOf("slow.example").length >= 2);
  stop.abort();

  const stopLater = new AbortController();
  const later = lookup("later.example", { allowListed: false, signal: stopLater.signal });
  await eventually(async () => questionsOf("later.example").length >= 2);
  const before = questionsOf("slow.example");
  expect(new Set(before)).toEqual(new Set(["A slow.example", "AAAA slow.example"]));
  // The server is asked again only for the other name, whose look-up began later.
  await eventually(async () => questionsOf("later.example").length === 4);
  expect(questionsOf("slow.example")).toEqual(before);
  expect(await found).toEqual([]);
  stopLater.abort();
  await later;
});

test("addresses of both families are checked, and used without a second look-up", async () => {
  const inside = await startCanary();
  afterFile(inside.close);
  const addresses: Record<string, string[]> = {
    "public.example": ["93.184.216.34", "2606:2800:220:1::1"],
    "inside-4.example": ["127.0.0.1", "2606:2800:220:1::1"],
    "inside-6.example": ["93.184.216.34", "::1"],
    "mapped.example": ["93.184.216.34", "::ffff:7f00:1"],
  };
  const dns = await startDnsServer((name) => addresses[name] ?? []);
  const lookup = createLookup([dns.address]);
  const names: string[] = [];
  const connected: string[][] = [];
  const pages = fetcher({
    lookup(name, how) {
      names.push(name);
      return lookup(name, how);
    },
    connectTcp: (_url, checked) => {
      connected.push(checked);
      return connect(inside.port, "127.0.0.1"); // its address is checked again, and refused
    },
  });
  const asked = [...Object.keys(addresses), "none.example"];
  for (const name of asked) {
    expect(await pages.fetchPage(`https://${name}/`), name).toEqual(unreachable);
  }
  expect(connected).toEqual([["93.184.216.34", "2606:2800:220:1::1"]]);
  expect(names).toEqual(asked);
  const questions = asked.flatMap((name) => [`A ${name}`, `AAAA ${name}`]);
  expect(new Set(dns.questions)).toEqual(new Set(questions));
});

test("a name whose DNS server answers for one family only is reached by that one", async () => {
  const dns = await startDnsServer((_name, family) => (family === 6 ? "silent" : ["93.184.216.34"]));
  const found = createLookup([dns.address])("half.example", {
    allowListed: false,
    signal: AbortSignal.timeout(30_000),
  });
  expect(await found).toEqual(["93.184.216.34"]);
});

test("a listed host is resolved by the system, with /etc/hosts, and not by DNS servers", async () => {
  const dns = await startDnsServer(() => "silent");
  const certificate = await createCertificate("slow dns", ["localhost", "127.0.0.1"]);
  trust(certificate);
  const server = await startPageServer(certificate, (_request, response) => void response.end("<title>a</title>"));
  afterFile(server.close);
  const pages = fetcher({ allowHosts: ["localhost"], dnsServers: [dns.address] });
  const found = await Promise.all([1, 2].map(() => pages.fetchPage(`https://localhost:${server.port}/`)));
  expect(found).toMatchObject([{ kind: "page" }, { kind: "page" }]);
  expect(dns.questions).toEqual([]);
});

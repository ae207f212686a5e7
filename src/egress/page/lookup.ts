import { Resolver, lookup as systemLookup } from "node:dns/promises";

/**
 * Resolves to all IPv4 and IPv6 addresses of a name. If there is none, it rejects or resolves to an empty list.
 * `allowListed`: the operator lists this name. After `signal` aborts, the caller no longer waits.
 */
export type Lookup = (hostname: string, how: { allowListed: boolean; signal: AbortSignal }) => Promise<string[]>;

/**
 * The time for a DNS server's first answer, and the number of tries. c-ares doubles the time for the second try. So
 * after 4.5 s the addresses of one family are used without the other, within the 8 s of a fetch.
 */
const dnsTimeoutMs = 1_500;
const dnsTries = 2;

/**
 * Creates the look-up of the fetcher. It asks DNS servers for names that strangers choose, over its own sockets
 * (node:dns `Resolver`), so that a look-up ends with its fetch. The system's resolver (getaddrinfo) cannot be
 * cancelled. It shares a few threads with look-ups of push services and of the database. A name whose DNS server is
 * silent would hold one of these threads long after the fetch. It therefore resolves only names that the operator
 * lists, so that /etc/hosts and search domains work for an intranet. `dnsServers`: `address:port`, in place of the
 * system's, for tests.
 */
export function createLookup(dnsServers?: string[]): Lookup {
  const lookupBySystem = createSystemLookup();
  return (hostname, { allowListed, signal }) =>
    allowListed ? lookupBySystem(hostname) : lookupByDns(hostname, signal, dnsServers);
}

async function lookupByDns(hostname: string, signal: AbortSignal, dnsServers?: string[]): Promise<string[]> {
  // Each look-up has its own resolver. It reads the current /etc/resolv.conf, and `cancel` ends only its own queries.
  const resolver = new Resolver({ timeout: dnsTimeoutMs, tries: dnsTries });
  if (dnsServers !== undefined) resolver.setServers(dnsServers);
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  signal.removeEventListener("abort", cancel);
  return found.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
}

/**
 * Creates a look-up by the system's resolver. Concurrent look-ups of one name share one thread, so an intranet with
 * slow DNS holds at most one thread for each name.
 */
function createSystemLookup(): (hostname: string) => Promise<string[]> {
  const underWay = new Map<string, Promise<string[]>>();
  const lookupAll = async (hostname: string) => {
    const found = await systemLookup(hostname, { all: true, order: "verbatim" });
    return found.map(({ address }) => address);
  };
  return (hostname) => {
    const running = underWay.get(hostname) ?? lookupAll(hostname).finally(() => underWay.delete(hostname));
    underWay.set(hostname, running);
    return running;
  };
}

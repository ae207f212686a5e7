import { Resolver, lookup as systemLookup } from "node:dns/promises";

/**
 * Resolves to all addresses of a name, IPv4 and IPv6. Rejects or resolves to none if there is none. `allowListed`: the
 * operator lists this name. The caller has stopped waiting once `signal` aborts.
 */
export type Lookup = (hostname: string, how: { allowListed: boolean; signal: AbortSignal }) => Promise<string[]>;

/**
 * How long a DNS server has for its first answer, and how often it is asked; c-ares doubles the time for the second try.
 * The addresses of one family are used without the other after 4.5 s, within the 8 s of a fetch.
 */
const dnsTimeoutMs = 1_500;
const dnsTries = 2;

/**
 * Creates the look-up of the fetcher. Names that strangers choose are asked of the DNS servers over sockets
 * (node:dns `Resolver`), so that a look-up ends with its fetch. The system's resolver (getaddrinfo) cannot be cancelled:
 * a name whose DNS server is silent would hold one of the few threads that it shares with look-ups of push services and
 * of the database, long after the fetch is over. Only names that the operator lists are resolved by it, so that /etc/hosts
 * and search domains work for an intranet. `dnsServers`: `address:port`, instead of those of the system, for tests.
 */
export function createLookup(dnsServers?: string[]): Lookup {
  const lookupBySystem = createSystemLookup();
  return (hostname, { allowListed, signal }) =>
    allowListed ? lookupBySystem(hostname) : lookupByDns(hostname, signal, dnsServers);
}

async function lookupByDns(hostname: string, signal: AbortSignal, dnsServers?: string[]): Promise<string[]> {
  // One for each look-up: it reads the present /etc/resolv.conf, and `cancel` ends all queries of a resolver.
  const resolver = new Resolver({ timeout: dnsTimeoutMs, tries: dnsTries });
  if (dnsServers !== undefined) resolver.setServers(dnsServers);
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  signal.removeEventListener("abort", cancel);
  return found.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
}

/** Concurrent look-ups of one name share one thread, so an intranet with slow DNS holds at most one for each name. */
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

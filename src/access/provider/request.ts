import type { CustomFetch } from "openid-client";
import type { App } from "../../app.ts";

/** An error: the provider gave no answer, or an answer with a status of 500 or above. */
export class ProviderAway extends Error {}

/**
 * Returns a `fetch` for the library that goes through the page fetcher's guard. The operator has set the issuer, so
 * its host may be internal, but only for these requests. The function throws ProviderAway.
 */
export function asksProvider(app: App, issuer: string): CustomFetch {
  const { hostname, port } = new URL(issuer);
  const allowHosts = [`${hostname}:${port || "443"}`];
  return async (url, { method, headers, body, signal }) => {
    const result = await app.pages.request(url, {
      method: method === "POST" ? "POST" : "GET",
      headers,
      ...(body ? { body: String(body) } : {}),
      ...(signal && { signal }),
      allowHosts,
      requester: "provider",
      noRedirects: true,
      anyStatus: true,
    });
    if (result.kind !== "answer") {
      throw new ProviderAway(`${new URL(url).host}: ${result.kind === "busy" ? "too many requests" : result.reason}`);
    }
    const { status, headers: answered } = result;
    if (status >= 500) throw new ProviderAway(`${new URL(url).host} answered ${status}`);
    const kept = ["content-type", "www-authenticate"].flatMap((name) =>
      [answered[name] ?? []].flat().map((v) => [name, v]),
    );
    return new Response(result.body.length === 0 ? null : new Uint8Array(result.body), {
      status,
      headers: kept as [string, string][],
    });
  };
}

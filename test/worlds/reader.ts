import type { Answer, Api } from "./app.ts";
import type { BrowserSubscription } from "./publisher.ts";

/** The origin of the sites that `makePublisher` makes. */
export const siteOrigin = "https://news.example";

export type Reader = {
  /** POSTs JSON to a path of the site under /sdk, as a page of the site. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  subscribe(subscription: BrowserSubscription, more?: object): Promise<Answer>;
  leave(subscription: BrowserSubscription, token?: string): Promise<Answer>;
};

/** A browser on a page of the site. */
export function createReader(api: Api, siteId: string, origin = siteOrigin): Reader {
  const post: Reader["post"] = (path, body, headers = {}) =>
    api.call("POST", `/sdk/sites/${siteId}/${path}`, { body, headers: { origin, ...headers } });
  return {
    post,
    subscribe: ({ endpoint, keys }, more = {}) => post("subscriptions", { subscription: { endpoint, keys }, ...more }),
    leave: ({ endpoint, keys }, token) => post("unsubscribe", { endpoint, auth: keys.auth, token }),
  };
}

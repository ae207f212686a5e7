/** The publisher's CMS: calls the REST API with a tenant's key, as any client would. */
export type Publisher = {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body?: unknown, headers?: Record<string, string>): Promise<T>;
};

/** A client of the API at `url` with `apiKey`. Throws what the API says when it refuses. */
export function createPublisher(url: string, apiKey: string): Publisher {
  async function call<T>(
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<T> {
    const json = body === undefined ? {} : { "content-type": "application/json" };
    const answer = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, ...json, ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return JSON.parse(text) as T;
  }
  return {
    get: (path) => call("GET", path, undefined),
    post: (path, body, headers) => call("POST", path, body, headers),
  };
}

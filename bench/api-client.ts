/** A client of the REST API. It does not retry or check, because that would be measured too. */
export type ApiClient = {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body?: unknown, headers?: Record<string, string>): Promise<T>;
};

/**
 * Creates a client of the API at `url` that sends `apiKey`. If the API refuses a call, throws an error with its
 * answer.
 */
export function createApiClient(url: string, apiKey: string): ApiClient {
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

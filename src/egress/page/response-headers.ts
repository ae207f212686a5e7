import type { IncomingMessage } from "node:http";

/** The headers of an answer, with names in lower case. A header that came several times is an array. */
export type ResponseHeaders = Record<string, string | string[] | undefined>;

export function headersOf({ headersDistinct }: IncomingMessage): ResponseHeaders {
  const headers = Object.entries(headersDistinct).map(([name, values = []]) => [
    name,
    values.length === 1 ? values[0]! : values,
  ]);
  return Object.fromEntries(headers);
}

/** Returns a header's value. Returns the first if there are several, and `missing` if there is none. */
export function headerValue(value: string | string[] | undefined, missing: string): string {
  return (Array.isArray(value) ? value[0] : value) ?? missing;
}

/** Returns the media type without parameters ("" if there is none) and the charset parameter, both in lower case. */
export function readContentType(headers: ResponseHeaders): { contentType: string; charset?: string } {
  const [contentType = "", ...parameters] = headerValue(headers["content-type"], "").toLowerCase().split(";");
  const charset = parameters.map((parameter) => /^\s*charset\s*=\s*"?([^\s"]+)/.exec(parameter)?.[1]).find(Boolean);
  return { contentType: contentType.trim(), ...(charset === undefined ? {} : { charset }) };
}

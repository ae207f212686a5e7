import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from "fastify";
import { appError, invalidFields } from "../errors.ts";
import { fault, faults } from "../faults.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    takesPlainText?: boolean;
    takesLines?: boolean;
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
export const maxDepth = 32;

/** Replaces Fastify's body parsers with the rules of this file. Bodies of lines are not parsed and stay Buffers. */
export function readBodiesAsJson(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", { parseAs: "buffer" }, async (request: FastifyRequest, bytes: Buffer) => {
    // The length of a chunked body is known only after the body was read.
    if (bytes.length === 0) return undefined;
    checkContentType(request);
    return request.routeOptions.config.takesLines ? bytes : parseJsonBody(bytes);
  });
}

/**
 * Checks the headers of a body before it is read: the transfer coding and, if there is a body, the content type.
 * Throws `unsupported_media_type`.
 */
export function checkBodyHeaders(request: FastifyRequest): void {
  const { headers } = request;
  const transferEncoding = headers["transfer-encoding"];
  // Node decodes "chunked" and passes any other coding on undecoded.
  if (transferEncoding !== undefined && transferEncoding.toLowerCase() !== "chunked")
    throw appError("unsupported_media_type");
  if (transferEncoding !== undefined) return;
  if (headers["content-length"] === undefined || headers["content-length"] === "0") {
    // Fastify would refuse an unknown content type even without a body.
    delete headers["content-type"];
    return;
  }
  checkContentType(request);
}

/** Checks the content type of a body. A beacon's JSON may be text/plain, which browsers send without a preflight. */
function checkContentType({ headers, routeOptions }: FastifyRequest): void {
  const { "content-type": contentType, "content-encoding": contentEncoding } = headers;
  const [whole, parameters] = typesOf(routeOptions.config).exec(contentType ?? "") ?? [];
  const isKnown = whole !== undefined;
  const charset = /;\s*charset\s*=\s*"?([^";]*)/i.exec(parameters ?? "")?.[1];
  const isUtf8 = charset === undefined || charset.trim().toLowerCase() === "utf-8";
  if (!isKnown || !isUtf8 || contentEncoding !== undefined) throw appError("unsupported_media_type");
}

function typesOf({ takesLines, takesPlainText }: FastifyContextConfig): RegExp {
  if (takesLines) return /^application\/x-ndjson[ \t]*(;.*)?$/i;
  if (takesPlainText) return /^(?:application\/json|text\/plain)[ \t]*(;.*)?$/i;
  return /^application\/json[ \t]*(;.*)?$/i;
}

/** Returns the parsed body of a request that needs one. Throws `malformed_json` if none was sent. */
export function requireBody(body: unknown): unknown {
  if (body === undefined) throw appError("malformed_json");
  return body;
}

/**
 * Parses `bytes` as JSON. Throws `malformed_json` for anything but JSON in UTF-8, and what `refuseUnstorableText`
 * throws.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    throw appError("malformed_json");
  }
  refuseUnstorableText(value, "", 0);
  return value;
}

/**
 * Throws `validation_failed` for text in `value` that PostgreSQL cannot store (NUL, lone surrogates), for a field
 * `__proto__`, and for more than 32 levels.
 */
export function refuseUnstorableText(value: unknown, path = "", depth = 0): void {
  if (depth > maxDepth) throw invalidFields([fault(path, faults.too_deep())]);
  if (typeof value === "string" && (value.includes("\0") || !value.isWellFormed())) {
    throw invalidFields([fault(path, faults.not_storable_text())]);
  }
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const memberPath = `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    // zod would drop the field without an error.
    if (key === "__proto__") throw invalidFields([fault(memberPath, faults.unknown_field())]);
    refuseUnstorableText(key, path, depth + 1);
    refuseUnstorableText(member, memberPath, depth + 1);
  }
}

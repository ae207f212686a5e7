import { readFileSync } from "node:fs";

/**
 * Where the payload of a CMS has what a campaign needs. A value is either a JSON pointer (RFC 6901), in which `*`
 * stands for each entry of a list, or a text with pointers in braces: `https://news.example/{/entry/slug}`.
 */
export type Mapping = {
  /** Identifies the post: later webhooks of the same post have the same id. */
  id: string;
  url: string;
  title?: string;
  imageUrl?: string;
  tags?: string;
  /**
   * The values that the payload must have at these pointers. A webhook without them is not a publication, and is
   * ignored.
   */
  only?: Record<string, string>;
  /** The values that the payload must not have at these pointers. */
  unless?: Record<string, string>;
  /**
   * A pointer into the values that a change has replaced, to a value that a publication replaces. If the payload has
   * replaced values, but not this one, a published post was updated. A new post has no replaced values.
   */
  changed?: string;
  /** The date of the post. A post that is more than a day old is ignored: it was published again, or imported. */
  publishedAt?: string;
  /** The topic of each tag. A post with none of these tags goes to all subscribers, unless `requireTopic` is true. */
  topics?: Record<string, string>;
  requireTopic?: boolean;
};

/** The published post that a webhook describes. */
export type Post = { id: string; url: string; title?: string; imageUrl?: string; topicIds: string[] };

export type Mapped = { post: Post } | { ignored: string } | { faults: string[] };

/**
 * The mapping for the webhook "Post published" of Ghost 5 and 6. If a post was withdrawn and is published again,
 * `previous` looks like that of a new post, but the post keeps its date.
 */
export const ghostMapping: Mapping = {
  id: "/post/current/id",
  url: "/post/current/url",
  title: "/post/current/title",
  imageUrl: "/post/current/feature_image",
  tags: "/post/current/tags/*/slug",
  only: { "/post/current/status": "published" },
  unless: { "/post/previous/status": "published" },
  changed: "/post/previous/status",
  publishedAt: "/post/current/published_at",
};

const texts = ["id", "url", "title", "imageUrl", "tags", "changed", "publishedAt"];
const maps = ["only", "unless", "topics"];

/** Reads a mapping from a file. Throws Error with everything that is wrong with it. */
export function readMapping(file: string): Mapping {
  const mapping: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (typeof mapping !== "object" || mapping === null || Array.isArray(mapping))
    throw new Error("it is no JSON object");
  const faults = Object.entries(mapping).flatMap(([name, value]) => faultOf(name, value));
  for (const name of ["id", "url"]) if (!(name in mapping)) faults.push(`${name} is required`);
  if (faults.length > 0) throw new Error(faults.join("; "));
  return mapping as Mapping;
}

function faultOf(name: string, value: unknown): string[] {
  const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
  const isText = (each: unknown) => typeof each === "string" && each !== "";
  if (texts.includes(name)) return isText(value) ? [] : [`${name} must be a pointer or a text`];
  if (maps.includes(name))
    return isMap && Object.values(value).every(isText) ? [] : [`${name} must be an object of texts`];
  if (name === "requireTopic") return typeof value === "boolean" ? [] : ["requireTopic must be true or false"];
  return [`${name} is not known`];
}

const maxTitleLength = 120;
const newsMs = 24 * 60 * 60 * 1_000;

/** Maps a payload to a post. Leaves out an unusable title or picture, so that the service takes that of the page. */
export function mapPayload(mapping: Mapping, payload: unknown, nowMs: number): Mapped {
  const ignored = noPublication(mapping, payload, nowMs);
  if (ignored !== undefined) return { ignored };
  const read = (from: string | undefined) => (from === undefined ? "" : textOf(payload, from).trim());
  const [id, title] = [read(mapping.id), read(mapping.title)];
  const [url, imageUrl] = [readAddress(read(mapping.url)), readAddress(read(mapping.imageUrl))];
  const faults = [];
  if (!/^[^\p{Cc}]{1,150}$/u.test(id))
    faults.push(`the id at ${mapping.id} must be a line of 1 to 150 characters, or a number`);
  if (url === undefined) faults.push(`the address at ${mapping.url} must be an https:// URL without a user name`);
  if (url === undefined || faults.length > 0) return { faults };
  const topicIds = topicsOf(mapping, payload);
  if (topicIds.length === 0 && mapping.requireTopic) return { ignored: "none of its tags has a topic" };
  const hasTitle = title !== "" && [...title].length <= maxTitleLength;
  const given = { ...(hasTitle ? { title } : {}), ...(imageUrl === undefined ? {} : { imageUrl }) };
  return { post: { id, url, ...given, topicIds } };
}

/** Returns why a webhook is not a publication, or is that of an old post. Returns undefined for a new publication. */
function noPublication(mapping: Mapping, payload: unknown, nowMs: number): string | undefined {
  const has = ([pointer, value]: [string, string]) => String(valuesAt(payload, pointer)[0]) === value;
  const missing = Object.entries(mapping.only ?? {}).find((entry) => !has(entry));
  if (missing !== undefined) return `${missing[0]} is not ${missing[1]}`;
  const found = Object.entries(mapping.unless ?? {}).find(has);
  if (found !== undefined) return `${found[0]} is ${found[1]}`;
  const { changed, publishedAt } = mapping;
  if (changed !== undefined && isUpdate(payload, changed)) return `${changed} is not among what has changed`;
  // A missing or unreadable date is NaN, and `NaN < x` is always false.
  const atMs = publishedAt === undefined ? Number.NaN : readDate(textOf(payload, publishedAt));
  return atMs < nowMs - newsMs ? `${publishedAt} is more than a day ago` : undefined;
}

/** Returns a date in milliseconds since 1970. The text is a date, or seconds or milliseconds since 1970. */
function readDate(text: string): number {
  if (/^\d{9,10}$/.test(text)) return Number(text) * 1_000;
  return /^\d{12,13}$/.test(text) ? Number(text) : Date.parse(text);
}

function isUpdate(payload: unknown, changed: string): boolean {
  const [replaced] = valuesAt(payload, changed.slice(0, changed.lastIndexOf("/")));
  const isGiven = typeof replaced === "object" && replaced !== null && Object.keys(replaced).length > 0;
  return isGiven && valuesAt(payload, changed).length === 0;
}

function topicsOf({ tags, topics = {} }: Mapping, payload: unknown): string[] {
  const found = tags === undefined ? [] : valuesAt(payload, tags).map(String);
  return [...new Set(found.flatMap((tag) => (Object.hasOwn(topics, tag) ? [topics[tag]!] : [])))];
}

/**
 * Returns an address as the API takes it, with escapes for spaces and the like. Returns undefined for an unusable
 * one.
 */
function readAddress(value: string): string | undefined {
  if (!URL.canParse(value)) return undefined;
  const { href, protocol, username, password } = new URL(value);
  const isUsable = protocol === "https:" && username === "" && password === "" && href.length <= 2_048;
  return isUsable ? href : undefined;
}

/** Returns the value at a pointer, or a text with its pointers filled in. Returns "" if a pointer leads to nothing. */
function textOf(payload: unknown, from: string): string {
  if (from.startsWith("/")) return scalar(valuesAt(payload, from)[0]);
  const parts = from.split(/\{(\/[^}]*)\}/).map((part, index) => {
    return index % 2 === 0 ? part : encodeURIComponent(scalar(valuesAt(payload, part)[0]));
  });
  return parts.some((part, index) => index % 2 === 1 && part === "") ? "" : parts.join("");
}

function scalar(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** Returns all values at a pointer, in their order. */
function valuesAt(payload: unknown, pointer: string): unknown[] {
  const steps = pointer.split("/").slice(1);
  return steps.reduce<unknown[]>(
    (found, step) => {
      const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
      return found.flatMap((value) => {
        if (step === "*") return Array.isArray(value) ? value : [];
        if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return [];
        return [(value as Record<string, unknown>)[name]];
      });
    },
    [payload],
  );
}

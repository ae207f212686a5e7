/** The namespace of news in sitemaps (https://www.google.com/schemas/sitemap-news/0.9/). */
export const newsNamespace = "http://www.google.com/schemas/sitemap-news/0.9";

/**
 * Namespaces (in lower case, without a slash at the end) and the prefixes for them in names of `Element`. RSS 2.0 has
 * no namespace, so the namespaces of RSS 0.90 and 1.0 get no prefix: one reader reads all versions. Some documents
 * write these namespaces with https.
 */
const vocabularies = new Map([
  ["http://www.w3.org/2005/atom", "atom:"],
  ["http://purl.org/atom/ns#", "atom:"],
  ["http://purl.org/dc/elements/1.1", "dc:"],
  ["http://www.w3.org/1999/02/22-rdf-syntax-ns#", "rdf:"],
  ["http://rssnamespace.org/feedburner/ext/1.0", "feedburner:"],
  [newsNamespace, "news:"],
  ["http://www.google.com/schemas/sitemap-image/1.1", "image:"],
  ["http://search.yahoo.com/mrss", "media:"],
  ["http://purl.org/rss/1.0/modules/content", "content:"],
  ["http://purl.org/rss/1.0", ""],
  ["http://my.netscape.com/rdf/simple/0.9", ""],
  ["http://channel.netscape.com/rdf/simple/0.9", ""],
]);

/** A prefix ("" for names without one), and its vocabulary outside of the element that declares it. */
export type Declared = [prefix: string, outside: string | undefined];

/** The prefixes that the open elements of a document declare (Namespaces in XML 1.0 section 6.1). */
export type Namespaces = {
  /**
   * Adds the prefixes that an element declares by its attributes. `root`: the name of the element as written, if it is
   * the document's first. Returns what `leave` needs to undo this.
   */
  enter(attributes: Map<string, string>, root: string | null): Declared[];
  /** Undoes what the innermost open element has declared. */
  leave(declared: Declared[]): void;
  /** Returns the name of an element with the prefix of its vocabulary. `written`: the name in the document. */
  nameOf(written: string): string;
};

/**
 * Creates the namespaces of one document. They are one map, which each element changes and restores, because a copy
 * for each element would take quadratic time. A prefix that has ended stays in the map as undefined: until it grows, a
 * Map in V8 also searches the deleted entries of a key.
 */
export function createNamespaces(): Namespaces {
  const known = new Map<string, string | undefined>();
  return {
    enter(attributes, root) {
      const declared: Declared[] = [];
      const declare = (prefix: string, vocabulary: string) => {
        declared.push([prefix, known.get(prefix)]);
        known.set(prefix, vocabulary);
      };
      // No other format has this root, so it is Atom that lacks its namespace.
      if (root === "feed" && !attributes.has("xmlns")) declare("", "atom:");
      for (const [attribute, uri] of attributes) {
        if (!/^xmlns(:|$)/.test(attribute)) continue;
        const prefix = attribute.slice("xmlns:".length);
        // Some RSS declares its own default namespace at the root, and is read as RSS. Deeper, such a namespace is
        // another format.
        const unknown = prefix === "" && root !== null ? "" : `${prefix}?:`;
        declare(prefix, vocabularies.get(canonicalNamespace(uri)) ?? unknown);
      }
      return declared;
    },
    leave(declared) {
      for (const [prefix, outside] of declared.reverse()) known.set(prefix, outside);
    },
    nameOf(written) {
      const at = written.indexOf(":");
      const prefix = written.slice(0, Math.max(at, 0));
      return (known.get(prefix) ?? (at < 0 ? "" : `${prefix}:`)) + written.slice(at + 1);
    },
  };
}

/** Returns a namespace in the form that `vocabularies` uses. */
export function canonicalNamespace(uri: string): string {
  return uri
    .trim()
    .toLowerCase()
    .replace(/\/$/, "")
    .replace(/^https:/, "http:");
}

import { type JsonLdNode, textsIn } from "./json-ld.ts";

/** Returns the names of the site and of the publisher in JSON-LD. */
export function siteNamesIn(nodes: JsonLdNode[], node: JsonLdNode | null): string[] {
  const publisher = node?.value.publisher;
  const named = (Array.isArray(publisher) ? publisher[0] : publisher) as { name?: unknown } | null | undefined;
  return [named?.name, ...siteNodes(nodes).map(({ value }) => value.name)].flatMap(textsIn);
}

/** Returns the nodes of JSON-LD that describe the site and its publisher. */
export function siteNodes(nodes: JsonLdNode[]): JsonLdNode[] {
  return nodes
    .filter(({ types }) => types.some((type) => /^(WebSite|(NewsMedia)?Organization)$/.test(type)))
    .slice(0, 5);
}

/** Returns the logos of the site and of the publisher in JSON-LD. */
export function logosIn(nodes: JsonLdNode[], node: JsonLdNode | null): string[] {
  const publisher = node?.value.publisher as { logo?: unknown } | null | undefined;
  return [publisher?.logo, ...siteNodes(nodes).map(({ value }) => value.logo)].flatMap(textsIn);
}

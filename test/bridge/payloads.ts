import { readFileSync } from "node:fs";

type GhostPost = {
  id: string;
  url: string;
  title?: string;
  status?: string;
  tags?: string[];
  publishedAt?: string;
  previous?: Record<string, unknown>;
};

/**
 * A webhook "Post published" as Ghost 6.65.0 posted it on 24 November 2026. Authors, revisions and tiers are removed,
 * and the text is shortened.
 */
export const recordedGhostPayload = JSON.parse(
  readFileSync(new URL("ghost-post-published.json", import.meta.url), "utf8"),
);

/** Returns the recorded webhook for another post. `previous` has the former values of the fields that have changed. */
export function ghostPayload(post: GhostPost) {
  const { id, url, title = "The bridge opens", status = "published", tags = [] } = post;
  const { publishedAt = new Date().toISOString(), previous = recordedGhostPayload.post.previous } = post;
  const { tags: recordedTags, ...current } = recordedGhostPayload.post.current;
  return {
    ...recordedGhostPayload,
    post: {
      current: {
        ...current,
        id,
        comment_id: id,
        url,
        title,
        status,
        published_at: publishedAt,
        updated_at: publishedAt,
        tags: tags.map((slug) => ({ ...recordedTags[0], id: `id-${slug}`, name: slug, slug })),
      },
      previous,
    },
  };
}

/** A webhook of Strapi 5 for an entry, as its documentation shows it. */
export const strapiPayload = {
  event: "entry.publish",
  createdAt: "2027-03-01T10:00:00.000Z",
  model: "article",
  uid: "api::article.article",
  entry: {
    id: 2,
    documentId: "a1b2c3d4e5f6g7h8i9j0klm",
    title: "The bridge opens",
    slug: "the-bridge-opens",
    tags: [
      { id: 1, name: "news" },
      { id: 2, name: "sport" },
    ],
    publishedAt: "2027-03-01T10:00:00.000Z",
  },
};

/** The body of Contentful's `Entry.publish`, as its documentation shows it: the published entry. */
export const contentfulPayload = {
  metadata: { tags: [] },
  fields: { title: { "en-US": "The bridge opens" }, slug: { "en-US": "the-bridge-opens" } },
  sys: {
    type: "Entry",
    id: "4Vg0Fd8Lw2iCq0uGw2aY6e",
    space: { sys: { type: "Link", linkType: "Space", id: "yadj1kx9rmg0" } },
    contentType: { sys: { type: "Link", linkType: "ContentType", id: "article" } },
    revision: 1,
    publishedVersion: 3,
    publishedAt: "2027-03-01T10:00:00.000Z",
  },
};

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
 * A webhook "Post published" in the form of Ghost 6.65 (core/server/services/webhooks), with the fields that are not used cut.
 * `previous` has the replaced values of what has changed.
 */
export function ghostPayload(post: GhostPost) {
  const { id, url, title = "The bridge opens", status = "published", tags = [] } = post;
  const { publishedAt = new Date().toISOString(), previous = { status: "draft", published_at: null } } = post;
  return {
    event: "post.published",
    post: {
      current: {
        ...{ id, uuid: "8d2b2b56-2f2c-4f7e-a7f5-2fb1b58f3f0e", title, slug: "the-bridge-opens", status, url },
        ...{ html: "<p>It happened this morning.</p>", feature_image: "https://images.example.com/bridge.jpg" },
        ...{ visibility: "public", published_at: publishedAt, updated_at: publishedAt },
        tags: tags.map((slug) => ({ id: `id-${slug}`, name: slug, slug, visibility: "public" })),
      },
      previous,
    },
  };
}

/** A webhook of Strapi 5 for an entry, as its documentation has it. */
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

/** The body of Contentful's `Entry.publish`: the published entry, as its documentation has it. */
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

/** A webhook "Post published" in the form of Ghost 6.65 (core/server/services/webhooks), with the fields that are not used cut. */
export function ghostPayload(post: { id: string; url: string; title?: string; status?: string; tags?: string[] }) {
  const { id, url, title = "The bridge opens", status = "published", tags = [] } = post;
  return {
    event: "post.published",
    post: {
      current: {
        ...{ id, uuid: "8d2b2b56-2f2c-4f7e-a7f5-2fb1b58f3f0e", title, slug: "the-bridge-opens", status, url },
        ...{ html: "<p>It happened this morning.</p>", feature_image: "https://images.example.com/bridge.jpg" },
        ...{ visibility: "public", published_at: "2027-03-01T10:00:00.000Z", updated_at: "2027-03-01T10:00:00.000Z" },
        tags: tags.map((slug) => ({ id: `id-${slug}`, name: slug, slug, visibility: "public" })),
      },
      previous: { status: "draft", published_at: null },
    },
  };
}

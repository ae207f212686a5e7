type Pages = {
  data: { pages: unknown[] } | undefined;
  hasNextPage: boolean;
  isError: boolean;
  fetchNextPage(options: { cancelRefetch: false }): Promise<Pages>;
};

/**
 * Reads the next page of a list. If a live change reloads the list at the same moment, that cancels this read, so it
 * reads again.
 */
export async function readMore({ data, fetchNextPage }: Pages): Promise<void> {
  const next = await fetchNextPage({ cancelRefetch: false });
  const isRead = next.data?.pages.length !== data?.pages.length;
  if (!isRead && next.hasNextPage && !next.isError) await readMore(next);
}

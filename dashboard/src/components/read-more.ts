type Pages = {
  data: { pages: unknown[] } | undefined;
  hasNextPage: boolean;
  isError: boolean;
  fetchNextPage(options: { cancelRefetch: false }): Promise<Pages>;
};

/**
 * Reads the next page of a list. A live change may read the list anew at the same moment, and only one of both reads goes
 * on: then asks again.
 */
export async function readMore({ data, fetchNextPage }: Pages): Promise<void> {
  const next = await fetchNextPage({ cancelRefetch: false });
  const isRead = next.data?.pages.length !== data?.pages.length;
  if (!isRead && next.hasNextPage && !next.isError) await readMore(next);
}

import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./api/client.ts";

/** A session that has ended is found out by whatever is asked next: then the start is asked, and leads to the sign-in. */
export function createQueries(): QueryClient {
  const onError = (error: unknown) => {
    if (error instanceof ApiError && error.status === 401) void client.invalidateQueries({ queryKey: ["start"] });
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // What the service refuses it refuses again; what did not come is asked for once more.
        retry: (failures, error) =>
          failures < 1 && error instanceof ApiError && (error.status === 0 || error.status > 500),
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });
  return client;
}

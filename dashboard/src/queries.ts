import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./api/client.ts";
import { checkService } from "./layout/service-query.ts";

/**
 * Creates the query client. After a 401, it reads the start again, which leads to the sign-in page. If the service
 * does not answer a request, it checks at once whether the service is away.
 */
export function createQueries(): QueryClient {
  const onError = (error: unknown) => {
    if (!(error instanceof ApiError)) return;
    if (error.status === 401) void client.invalidateQueries({ queryKey: ["start"] });
    if (error.status === 0 || error.code === "away") checkService(client);
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // An error answer would come again. A request without an answer, or with one from a proxy, is repeated once.
        retry: (failures, error) =>
          failures < 1 && error instanceof ApiError && (error.status === 0 || error.status > 500),
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });
  return client;
}

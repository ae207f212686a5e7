import type { QueryClient } from "@tanstack/react-query";
import { addressOf } from "../api/address.ts";

const minuteMs = 60_000;
const awayMs = 5_000;

/** Reads whether the service has another build than this page. Fails while the service does not answer. */
export const serviceQuery = {
  queryKey: ["service"],
  queryFn: isNewer,
  retry: false,
  staleTime: 0,
  // The page itself has just come from the service, so it is not older.
  initialData: false,
  refetchOnMount: false,
  refetchOnWindowFocus: "always",
  refetchInterval: ({ state }: { state: { status: string } }) => (state.status === "error" ? awayMs : 2 * minuteMs),
} as const;

/** Checks now whether the service answers. Call this on the first sign that it does not. */
export function checkService(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: serviceQuery.queryKey });
}

async function isNewer(): Promise<boolean> {
  const answer = await fetch(addressOf("/"), { cache: "no-cache" });
  const html = await answer.text();
  const script = document.querySelector<HTMLScriptElement>("script[src*='/index-']")?.src ?? "";
  const isPage = html.includes('<div id="root">');
  if (!answer.ok || !isPage) throw new Error("no page");
  // The name of the script contains a hash of all code.
  return !html.includes(script.slice(script.lastIndexOf("/") + 1));
}

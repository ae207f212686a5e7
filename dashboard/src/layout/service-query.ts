import { addressOf } from "../api/client.ts";

const minuteMs = 60_000;
const awayMs = 5_000;

/** Whether the service answers, and whether it has another build than this page. Fails while it does not answer. */
export const serviceQuery = {
  queryKey: ["service"],
  queryFn: isNewer,
  retry: false,
  staleTime: 0,
  // The page itself has just come.
  initialData: false,
  refetchOnMount: false,
  refetchOnWindowFocus: "always",
  refetchInterval: ({ state }: { state: { status: string } }) => (state.status === "error" ? awayMs : 2 * minuteMs),
} as const;

async function isNewer(): Promise<boolean> {
  const answer = await fetch(addressOf("/"), { cache: "no-cache" });
  const html = await answer.text();
  const script = document.querySelector<HTMLScriptElement>("script[src*='/index-']")?.src ?? "";
  const isPage = html.includes('<div id="root">');
  if (!answer.ok || !isPage) throw new Error("no page");
  // Its name contains a hash of all code.
  return !html.includes(script.slice(script.lastIndexOf("/") + 1));
}

import { Alert, Button, Group } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { addressOf } from "../api/client.ts";
import { Icon } from "../components/icon.tsx";
import { words } from "../words/words.ts";

const minuteMs = 60_000;
const awayMs = 5_000;

/** Whether the service answers, and whether it has another build than this page. Fails while it does not answer. */
export const serviceQuery = {
  queryKey: ["service"],
  queryFn: isNewer,
  retry: false,
  staleTime: 0,
  refetchOnWindowFocus: "always",
  refetchInterval: ({ state }: { state: { status: string } }) => (state.status === "error" ? awayMs : 2 * minuteMs),
} as const;

async function isNewer(): Promise<boolean> {
  const answer = await fetch(addressOf("/"), { cache: "no-cache" });
  const html = await answer.text();
  const script = document.querySelector<HTMLScriptElement>("script[type=module][src]")?.src ?? "";
  const isPage = html.includes('<div id="root">');
  if (!answer.ok || !isPage) throw new Error("no page");
  // Its name contains a hash of all code.
  return !html.includes(script.slice(script.lastIndexOf("/") + 1));
}

/** Says that the service is away, until it is back; and that this page is older than the service. */
export function ServiceNotice() {
  const { data: isOld = false, isError: isAway } = useQuery(serviceQuery);
  const queries = useQueryClient();
  const wasAway = useRef(false);
  useEffect(() => {
    if (wasAway.current && !isAway) {
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== serviceQuery.queryKey[0] });
    }
    wasAway.current = isAway;
  }, [isAway, queries]);
  if (isAway) {
    return (
      <Alert
        color="yellow"
        mb="lg"
        icon={<Icon name="warning" />}
        role="status"
        title={words.layout.pressbellDoesNotAnswer}
      >
        {words.layout.yourConnectionIsGoneOr}
      </Alert>
    );
  }
  if (!isOld) return null;
  return (
    <Alert color="petrol" mb="lg" icon={<Icon name="info" />} role="status" title={words.layout.thereIsANewVersion}>
      <Group justify="space-between" gap="sm">
        {words.layout.reloadThisPageToUse}
        <Button size="compact-md" onClick={() => window.location.reload()}>
          {words.layout.reload}
        </Button>
      </Group>
    </Alert>
  );
}

import { Alert, Button, Group } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Icon } from "../components/icon.tsx";
import { words } from "../words/words.ts";
import { checkService, serviceQuery } from "./service-query.ts";

/** A notice while the service does not answer, and one if this page is older than the service. */
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
  useEffect(() => {
    const check = () => checkService(queries);
    window.addEventListener("offline", check);
    return () => window.removeEventListener("offline", check);
  }, [queries]);
  if (isAway) {
    return (
      <Alert color="yellow" mb="lg" icon={<Icon name="warning" />} role="status" title={words.layout.serviceAwayTitle}>
        {words.layout.serviceAwayHint}
      </Alert>
    );
  }
  if (!isOld) return null;
  return (
    <Alert color="petrol" mb="lg" icon={<Icon name="info" />} role="status" title={words.layout.newVersionTitle}>
      <Group justify="space-between" gap="sm">
        {words.layout.newVersionHint}
        <Button size="compact-md" onClick={() => window.location.reload()}>
          {words.layout.reload}
        </Button>
      </Group>
    </Alert>
  );
}

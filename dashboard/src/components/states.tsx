import { Alert, Button, Center, Group, Loader, Paper, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { toApiError } from "../api/client.ts";
import { words } from "../words/words.ts";
import { Icon, type IconName } from "./icon.tsx";

/** The placeholder of an empty list: what will appear here, and what to do for it. */
export function EmptyState(props: { icon: IconName; title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <Paper>
      <Stack align="center" gap="xs" py="xl" maw={460} mx="auto" ta="center">
        <ThemeIcon variant="light" size={48} radius="xl" mb="xs">
          <Icon name={props.icon} size={24} />
        </ThemeIcon>
        <Title order={2} size="h4">
          {props.title}
        </Title>
        <Text c="dimmed" size="sm">
          {props.children}
        </Text>
        {props.action !== undefined && <Group mt="sm">{props.action}</Group>}
      </Stack>
    </Paper>
  );
}

/** The placeholder of data that could not be loaded: the error, and a button to try again. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { message, requestId } = toApiError(error);
  return (
    <Alert color="red" variant="light" icon={<Icon name="warning" />} title={words.components.errorTitle} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{message}</Text>
        {requestId !== undefined && (
          <Text size="xs" c="dimmed">
            {words.components.request({ requestId })}
          </Text>
        )}
        {onRetry !== undefined && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {words.components.tryAgain}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

export function LoadingState({ label = words.components.loading }: { label?: string }) {
  return (
    <Center mih={240} role="status" aria-label={label}>
      <Loader type="dots" />
    </Center>
  );
}

/** Renders `children` with the data of a query. Shows an error or a loading state until the data is there. */
export function Loaded<Data>(props: {
  of: { data: Data | undefined; error: unknown; refetch: () => unknown };
  children: (data: Data) => ReactNode;
}) {
  const { data, error, refetch } = props.of;
  if (data !== undefined) return props.children(data);
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return <LoadingState />;
}

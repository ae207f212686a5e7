import { Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { ApprovalRequest } from "../api/calls.ts";
import { words } from "../words/words.ts";
import { TextLink } from "./links.tsx";
import { people } from "./numbers.ts";
import { fromNow } from "./times.tsx";

/** The open approval requests of a site, with links to their campaigns. */
export function OpenApprovalRequests({ requests, siteId }: { requests: ApprovalRequest[]; siteId: string }) {
  if (requests.length === 0) return null;
  return (
    <Paper component="section" aria-label={words.components.openRequestsTitle}>
      <Title order={2} size="h4" mb="sm">
        {words.components.openRequestsTitle}
      </Title>
      <Stack gap="sm">
        {requests.map(({ requestId, campaignId, title, audience, askedBy, expiresAt }) => (
          <Group key={requestId} justify="space-between" gap="xs">
            <TextLink
              to="/sites/$siteId/campaigns/$campaignId"
              params={{ siteId, campaignId }}
              c="var(--mantine-color-text)"
              fw={500}
              lineClamp={1}
            >
              <bdi>{title}</bdi>
            </TextLink>
            <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
              {words.components.askedBy({ people: people(audience), person: askedBy.label, ends: fromNow(expiresAt) })}
            </Text>
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}

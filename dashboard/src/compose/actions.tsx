import { Button, Group, Paper, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { type CampaignView, testCampaignNow } from "../api/calls.ts";
import { usePendingSend } from "../frame/pending-send.tsx";
import { usePlace } from "../frame/session.tsx";
import { FormError } from "../parts/form-error.tsx";
import { Icon } from "../parts/icon.tsx";
import { type Draft, whatIsMissing } from "./draft.ts";
import { ScheduleDialog } from "./schedule-dialog.tsx";
import { SendDialog } from "./send-dialog.tsx";
import { TestResults } from "./test-results.tsx";

type Save = (draft: Draft) => Promise<CampaignView>;

/** What can be done with a draft: keep it, try it on a device, set a time, send it. Each saves it first. */
export function Actions({ draft, save }: { draft: Draft; save: Save }) {
  const { tenantId } = usePlace();
  const { pendingId } = usePendingSend();
  const [dialog, setDialog] = useState<{ kind: "send" | "schedule"; campaign: CampaignView } | null>(null);
  const open = useMutation({
    mutationFn: async (kind: "send" | "schedule" | "keep") => ({ kind, campaign: await save(draft) }),
    onSuccess: ({ kind, campaign }) => setDialog(kind === "keep" ? null : { kind, campaign }),
  });
  const test = useMutation({
    mutationFn: async () => testCampaignNow(tenantId, (await save(draft)).campaignId),
  });
  // A button that loads loses the focus; where its question is closed, one is back at it.
  const asked = useRef<HTMLButtonElement>(null);
  const close = () => {
    setDialog(null);
    setTimeout(() => asked.current?.focus(), 50);
  };
  const ask = (kind: "send" | "schedule", button: HTMLButtonElement) => {
    asked.current = button;
    open.mutate(kind);
  };
  const missing = whatIsMissing(draft);
  const isBlocked = missing !== null || pendingId !== null;
  const isOpening = (kind: string) => open.isPending && open.variables === kind;
  return (
    <Paper component="section" aria-label="Send">
      <Stack>
        <FormError error={open.error ?? test.error} />
        <Group justify="space-between" gap="sm">
          <Group gap="xs">
            <Button
              variant="subtle"
              disabled={isBlocked}
              loading={isOpening("keep")}
              onClick={() => open.mutate("keep")}
            >
              {open.isSuccess && open.variables === "keep" ? "Draft saved" : "Save draft"}
            </Button>
            <Button
              variant="default"
              leftSection={<Icon name="device" size={16} />}
              disabled={isBlocked}
              loading={test.isPending}
              onClick={() => test.mutate()}
            >
              Send a test
            </Button>
          </Group>
          <Group gap="xs" ml="auto">
            <Button
              variant="default"
              leftSection={<Icon name="clock" size={16} />}
              disabled={isBlocked}
              loading={isOpening("schedule")}
              onClick={(event) => ask("schedule", event.currentTarget)}
            >
              Schedule…
            </Button>
            <Button
              leftSection={<Icon name="send" size={16} />}
              disabled={isBlocked}
              loading={isOpening("send")}
              onClick={(event) => ask("send", event.currentTarget)}
            >
              Send now…
            </Button>
          </Group>
        </Group>
        {missing !== null && (
          <Text size="sm" c="dimmed" ta={{ sm: "right" }}>
            {missing}
          </Text>
        )}
        {test.data !== undefined && <TestResults result={test.data} />}
      </Stack>
      <SendDialog campaign={dialog?.kind === "send" ? dialog.campaign : null} onClose={close} />
      <ScheduleDialog campaign={dialog?.kind === "schedule" ? dialog.campaign : null} onClose={close} />
    </Paper>
  );
}

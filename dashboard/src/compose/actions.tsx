import { Button, Group } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { type UseMutationResult, useMutation } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import { type CampaignView, type TestSend, testCampaignNow } from "../api/calls.ts";
import { toApiError } from "../api/client.ts";
import { FormError } from "../components/form-error.tsx";
import { Icon } from "../components/icon.tsx";
import { ButtonLink } from "../components/links.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { useUndoWindow } from "../layout/undo-window.tsx";
import { words } from "../words/words.ts";
import { ScheduleDialog, SendDialog } from "./dialogs.tsx";
import { type Draft, whatIsMissing } from "./draft.ts";
import { SendBar, SendButton } from "./send-bar.tsx";
import { TestResults } from "./test-results.tsx";
import { usePlannedDay } from "./use-planned-day.ts";

/**
 * Saves a draft and returns its campaigns, that of this site first. `isKept`: the person only saves the draft, to
 * continue it later.
 */
type Save = (draft: Draft, isKept: boolean) => Promise<CampaignView[]>;

/**
 * The buttons of a draft: save, and in a bar that stays in view test, schedule and send. Each button saves the draft
 * first. `children` are shown between the two.
 */
export function Actions(props: { draft: Draft; save: Save; isScheduled: boolean; children: ReactNode }) {
  const { draft, save, isScheduled, children } = props;
  const { tenantId } = useCurrentSite();
  const { isPending } = useUndoWindow();
  const day = usePlannedDay();
  const [dialog, setDialog] = useState<{ kind: "send" | "schedule"; campaigns: CampaignView[] } | null>(null);
  const open = useMutation({
    mutationFn: async (kind: "send" | "schedule" | "keep") => ({ kind, campaigns: await save(draft, kind === "keep") }),
    onSuccess: ({ kind, campaigns }) => setDialog(kind === "keep" ? null : { kind, campaigns }),
  });
  const test = useMutation({
    mutationFn: async () => testCampaignNow(tenantId, (await save(draft, false))[0]!.campaignId),
  });
  // A button loses the focus while it shows that it is loading. The focus returns to it when its dialog closes.
  const opener = useRef<HTMLElement>(null);
  const close = () => {
    setDialog(null);
    setTimeout(() => opener.current?.focus(), 50);
  };
  const ask = (kind: "send" | "schedule", button: HTMLElement | null) => {
    opener.current = button;
    open.mutate(kind);
  };
  const labels = isScheduled ? words.compose.scheduledLabels : words.compose.draftLabels;
  const missing = whatIsMissing(draft);
  const isBlocked = missing !== null || isPending;
  const isToSeveral = (draft.alsoTo ?? []).length > 0;
  const canSend = !isBlocked && dialog === null && !open.isPending;
  const sendByKey = (event: KeyboardEvent) => {
    // A key that is held down must not press a button of the dialog.
    if (canSend && !event.repeat) ask("send", document.activeElement as HTMLElement | null);
  };
  useHotkeys([["mod+Enter", sendByKey]], []);
  const isOpening = (kind: string) => open.isPending && open.variables === kind;
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Button
          variant={isScheduled ? "filled" : "default"}
          disabled={isBlocked}
          loading={isOpening("keep")}
          onClick={() => open.mutate("keep")}
        >
          {open.isSuccess && open.variables === "keep" ? labels.done : labels.keep}
        </Button>
      </Group>
      {children}
      <SendBar draft={draft} missing={missing} notes={<Notes error={open.error ?? test.error} test={test} />}>
        <Button
          variant="default"
          leftSection={<Icon name="device" size={16} />}
          disabled={isBlocked}
          loading={test.isPending}
          onClick={() => test.mutate()}
        >
          {words.compose.sendATest}
        </Button>
        <Button
          variant="default"
          leftSection={<Icon name="clock" size={16} />}
          disabled={isBlocked || isToSeveral}
          loading={isOpening("schedule")}
          onClick={(event) => ask("schedule", event.currentTarget)}
        >
          {isScheduled ? words.compose.changeTheTime : words.compose.scheduleIt}
        </Button>
        <SendButton
          disabled={isBlocked}
          loading={isOpening("send")}
          onClick={(event) => ask("send", event.currentTarget)}
        />
      </SendBar>
      <SendDialog campaigns={dialog?.kind === "send" ? dialog.campaigns : []} onClose={close} />
      <ScheduleDialog campaign={dialog?.kind === "schedule" ? dialog.campaigns[0]! : null} day={day} onClose={close} />
    </>
  );
}

/** The error and the result of the test. They are in the bar, so that they are visible beside the pressed button. */
function Notes({ error, test }: { error: unknown; test: UseMutationResult<TestSend, Error, void> }) {
  return (
    <>
      <FormError error={error} />
      {toApiError(test.error).code === "no_test_subscribers" && <AddTestDevice />}
      {test.data !== undefined && <TestResults result={test.data} onClose={test.reset} />}
    </>
  );
}

/** A link to the form for test devices, which links back here. */
function AddTestDevice() {
  const { siteId } = useCurrentSite();
  return (
    <ButtonLink
      variant="default"
      w="fit-content"
      to="/sites/$siteId/subscribers"
      params={{ siteId }}
      search={{ back: "compose" }}
      hash="test-devices"
    >
      {words.compose.addATestDevice}
    </ButtonLink>
  );
}

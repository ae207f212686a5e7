import { Button, Group, Paper, Progress, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { type UndoWindow, undoSend } from "../api/calls.ts";
import { wordsOfEnd } from "../api/refusals.ts";
import { Icon } from "../components/icon.tsx";
import { TextLink } from "../components/links.tsx";
import { people } from "../components/numbers.ts";
import { words } from "../words/words.ts";
import classes from "./pending-bar.module.css";

const undoMs = 10_000;
const tickMs = 200;
const wordsShownMs = 8_000;

type BarProps = {
  send: UndoWindow;
  /** All sends that are shown as this one: those of each site of its group. */
  all: UndoWindow[];
  tenantId: string;
  /** The time at which `send` was read, by this browser's clock. */
  readAtMs: number;
  isLost: boolean;
  /** Whether the send was confirmed on this page, which then opens the run. */
  isFromHere: boolean;
  onDismiss: (undoWindowId: string) => void;
};

/** A send that can be undone, or the way in which it ended. The sends of a group are shown as one. */
export function PendingBar({ send, all, tenantId, readAtMs, isLost, isFromHere, onDismiss }: BarProps) {
  const queries = useQueryClient();
  const isWaiting = send.status === "waiting";
  const leftMs = useLeftMs(readAtMs + send.startsInMs, isWaiting);
  const back = useMutation({
    // Each by itself: the member may have no role at another site of the group.
    async mutationFn() {
      const undone = await Promise.allSettled(all.map(({ campaignId }) => undoSend(tenantId, campaignId)));
      const failed = undone.find((one) => one.status === "rejected");
      if (failed !== undefined) throw failed.reason;
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ["undo-windows"] }),
  });
  const dismissAll = () => {
    for (const { undoWindowId } of all) onDismiss(undoWindowId);
  };
  useEnd(send, isFromHere, dismissAll);
  return (
    <Paper role="alert" className={classes.bar} w="100%" maw={640} mx="auto" p="md" data-testid="undo-window">
      <Group justify="space-between" wrap="nowrap" gap="md">
        <div style={{ minWidth: 0 }}>
          <Text size="sm" fw={500}>
            {wordsOf(send, all.length, leftMs)}
          </Text>
          <Text size="xs" c="dimmed" lineClamp={1}>
            <bdi>{send.title}</bdi>
          </Text>
        </div>
        {isWaiting ? (
          <Button
            variant="default"
            leftSection={<Icon name="cross" size={16} />}
            loading={back.isPending}
            onClick={() => back.mutate()}
            autoFocus
          >
            {words.layout.undo}
          </Button>
        ) : (
          <Group gap="xs" wrap="nowrap">
            {send.status !== "undone" && (
              <TextLink
                to="/sites/$siteId/campaigns/$campaignId"
                params={{ siteId: send.siteId, campaignId: send.campaignId }}
                size="sm"
              >
                {words.layout.openIt}
              </TextLink>
            )}
            <Button variant="default" size="compact-sm" onClick={dismissAll}>
              {words.layout.close}
            </Button>
          </Group>
        )}
      </Group>
      {isWaiting && (back.isError || isLost) && (
        <Text size="sm" mt={4} c="var(--status-orange)">
          {back.isError ? words.layout.undoFailed : words.layout.connectionLost}
        </Text>
      )}
      {isWaiting && (
        <Progress value={(100 * leftMs) / undoMs} size="xs" mt="xs" transitionDuration={tickMs} aria-hidden="true" />
      )}
    </Paper>
  );
}

function wordsOf({ status, audience, audienceExact, refusal }: UndoWindow, sites: number, leftMs: number): string {
  if (status === "undone") return words.layout.undone;
  if (status === "sent") return words.layout.sent;
  if (status === "refused") return words.layout.notSent({ why: wordsOfEnd(refusal) });
  if (leftMs === 0) return words.layout.startingTheSend;
  const values = { people: people(audience, audienceExact), seconds: Math.ceil(leftMs / 1_000) };
  return sites > 1 ? words.layout.sendingAtSitesIn({ ...values, sites }) : words.layout.sendingIn(values);
}

/** Handles the end of a send: reads everything again, opens its run, and removes the message after a while. */
function useEnd(send: UndoWindow, isFromHere: boolean, dismiss: () => void): void {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { status, siteId, campaignId } = send;
  const latest = useRef(dismiss);
  latest.current = dismiss;
  useEffect(() => {
    if (status === "waiting") return;
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "undo-windows" });
    if (status === "sent" && isFromHere) {
      void navigate({ to: "/sites/$siteId/campaigns/$campaignId", params: { siteId, campaignId } });
    }
    if (status === "refused") return;
    const timer = setTimeout(() => latest.current(), wordsShownMs);
    return () => clearTimeout(timer);
  }, [status, siteId, campaignId, isFromHere, navigate, queries]);
}

function useLeftMs(atMs: number, isRunning: boolean): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNowMs(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [isRunning]);
  return Math.max(0, Math.min(undoMs, atMs - nowMs));
}

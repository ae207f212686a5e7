import { Affix, Button, Group, Paper, Progress, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { beginSend, type PendingSend, pendingSends, takeSendBack } from "../api/calls.ts";
import { wordsOfEnd } from "../api/refusals.ts";
import { Icon } from "../components/icon.tsx";
import { TextLink } from "../components/links.tsx";
import { people } from "../components/numbers.ts";
import classes from "./pending-send.module.css";
import { CurrentSiteContext } from "./session.tsx";

const undoMs = 10_000;
const tickMs = 200;
/** How often the service is asked: while a send waits, and otherwise for one of another device. */
const pollWaitingMs = 1_000;
const pollMs = 15_000;
const wordsShownMs = 8_000;

type Begin = (campaignId: string, requestId?: string) => Promise<unknown>;

const Context = createContext<{ begin: Begin; isPending: boolean }>({ begin: async () => {}, isPending: false });

export const usePendingSend = () => use(Context);

/**
 * Shows the member's sends that can still be taken back, on every page and device. The service holds and starts them:
 * closing the page changes nothing.
 */
export function PendingSends({ children }: { children: ReactNode }) {
  const currentSite = use(CurrentSiteContext);
  const tenantId = currentSite?.tenantId ?? "";
  const queries = useQueryClient();
  const key = useMemo(() => ["pending-sends", tenantId], [tenantId]);
  const query = useQuery({
    queryKey: key,
    queryFn: () => pendingSends(tenantId),
    enabled: tenantId !== "" && currentSite?.canEdit === true,
    refetchInterval: ({ state }) => (state.data?.some(isWaiting) ? pollWaitingMs : pollMs),
    refetchIntervalInBackground: true,
    structuralSharing: false,
  });
  const [dismissed, setDismissed] = useState<string[]>([]);
  const dismiss = useCallback((id: string) => setDismissed((now) => [...now, id]), []);
  const begunHere = useRef(new Set<string>());
  const begin = useCallback<Begin>(
    async (campaignId, requestId) => {
      const { pendingSendId } = await beginSend(tenantId, campaignId, requestId);
      begunHere.current.add(pendingSendId);
      await queries.invalidateQueries({ queryKey: key });
    },
    [tenantId, queries, key],
  );
  const sends = query.data ?? [];
  const isPending = sends.some(isWaiting);
  const value = useMemo(() => ({ begin, isPending }), [begin, isPending]);
  const shown = sends.filter(({ pendingSendId }) => !dismissed.includes(pendingSendId));
  return (
    <Context value={value}>
      {children}
      {shown.length > 0 && (
        <Affix position={{ bottom: 20, left: 16, right: 16 }}>
          <Stack gap="xs">
            {shown.map((send) => (
              <PendingBar
                key={send.pendingSendId}
                send={send}
                tenantId={tenantId}
                readAtMs={query.dataUpdatedAt}
                isLost={query.isError}
                isFromHere={begunHere.current.has(send.pendingSendId)}
                onDismiss={dismiss}
              />
            ))}
          </Stack>
        </Affix>
      )}
    </Context>
  );
}

const isWaiting = ({ status }: PendingSend) => status === "waiting";

type BarProps = {
  send: PendingSend;
  tenantId: string;
  /** When `send` was read, by this browser's clock. */
  readAtMs: number;
  isLost: boolean;
  /** Whether it was confirmed on this page, which then goes on to the run. */
  isFromHere: boolean;
  onDismiss: (pendingSendId: string) => void;
};

function PendingBar({ send, tenantId, readAtMs, isLost, isFromHere, onDismiss }: BarProps) {
  const queries = useQueryClient();
  const leftMs = useLeftMs(readAtMs + send.startsInMs, isWaiting(send));
  const back = useMutation({
    mutationFn: () => takeSendBack(tenantId, send.campaignId),
    onSettled: () => queries.invalidateQueries({ queryKey: ["pending-sends"] }),
  });
  useEnd(send, isFromHere, onDismiss);
  return (
    <Paper role="alert" className={classes.bar} w="100%" maw={640} mx="auto" p="md" data-testid="pending-send">
      <Group justify="space-between" wrap="nowrap" gap="md">
        <div style={{ minWidth: 0 }}>
          <Text size="sm" fw={500}>
            {wordsOf(send, leftMs)}
          </Text>
          <Text size="xs" c="dimmed" lineClamp={1}>
            <bdi>{send.title}</bdi>
          </Text>
        </div>
        {isWaiting(send) ? (
          <Button
            variant="default"
            leftSection={<Icon name="cross" size={16} />}
            loading={back.isPending}
            onClick={() => back.mutate()}
            autoFocus
          >
            Undo
          </Button>
        ) : (
          <Group gap="xs" wrap="nowrap">
            {send.status !== "taken_back" && (
              <TextLink
                to="/sites/$siteId/campaigns/$campaignId"
                params={{ siteId: send.siteId, campaignId: send.campaignId }}
                size="sm"
              >
                Look at it
              </TextLink>
            )}
            <Button variant="default" size="compact-sm" onClick={() => onDismiss(send.pendingSendId)}>
              Close
            </Button>
          </Group>
        )}
      </Group>
      {isWaiting(send) && (back.isError || isLost) && (
        <Text size="sm" mt={4} c="var(--status-orange)">
          {back.isError ? "It was not taken back: the service does not answer. Try again." : lostWords}
        </Text>
      )}
      {isWaiting(send) && (
        <Progress value={(100 * leftMs) / undoMs} size="xs" mt="xs" transitionDuration={tickMs} aria-hidden="true" />
      )}
    </Paper>
  );
}

const lostWords = "The connection to the service is lost. Without it the send starts when its time has come.";

function wordsOf({ status, audience, audienceExact, refusal }: PendingSend, leftMs: number): string {
  if (status === "taken_back") return "Taken back. No reader got it.";
  if (status === "sent") return "Sent.";
  if (status === "refused") return `Not sent. ${wordsOfEnd(refusal)}`;
  if (leftMs === 0) return "Starting the send…";
  return `Sending to ${people(audience, audienceExact)} in ${Math.ceil(leftMs / 1_000)} s`;
}

/** When a send ends: reads everything again, goes to its run, and takes the words away after a while. */
function useEnd(send: PendingSend, isFromHere: boolean, onDismiss: (pendingSendId: string) => void): void {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { status, siteId, campaignId, pendingSendId } = send;
  useEffect(() => {
    if (status === "waiting") return;
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "pending-sends" });
    if (status === "sent" && isFromHere) {
      void navigate({ to: "/sites/$siteId/campaigns/$campaignId", params: { siteId, campaignId } });
    }
    if (status === "refused") return;
    const timer = setTimeout(() => onDismiss(pendingSendId), wordsShownMs);
    return () => clearTimeout(timer);
  }, [status, siteId, campaignId, pendingSendId, isFromHere, navigate, queries, onDismiss]);
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

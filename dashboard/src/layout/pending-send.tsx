import { Affix, Button, Group, Paper, Progress, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from "react";
import { approveRequest, sendCampaignNow } from "../api/calls.ts";
import { toApiError } from "../api/client.ts";
import { Icon } from "../components/icon.tsx";
import { people } from "../components/numbers.ts";
import classes from "./pending-send.module.css";

const undoMs = 10_000;
const tickMs = 200;

/** A live send that an editor has confirmed. It starts after the time in which it can be undone. */
export type PendingSend = {
  tenantId: string;
  siteId: string;
  campaignId: string;
  title: string;
  audience: number;
  audienceExact: boolean;
  /** The send request to approve, if this is the send of another person. */
  requestId?: string;
};

type State = { send: PendingSend; atMs: number; phase: "waiting" | "sending" | "refused"; message?: string };

const Context = createContext<{ begin(send: PendingSend): void; pendingId: string | null }>({
  begin() {},
  pendingId: null,
});

export const usePendingSend = () => use(Context);

/**
 * Delays a confirmed send by ten seconds, on every page, and shows a button to undo it. The service is called only
 * after that:
 * closing the tab before cancels the send. The call can be repeated safely.
 */
export function PendingSends({ children }: { children: ReactNode }) {
  const [state, setState] = useState<State | null>(null);
  const begin = useCallback((send: PendingSend) => {
    setState({ send, atMs: Date.now() + undoMs, phase: "waiting" });
  }, []);
  const value = useMemo(() => ({ begin, pendingId: state?.send.campaignId ?? null }), [begin, state]);
  return (
    <Context value={value}>
      {children}
      {state !== null && <PendingBar state={state} setState={setState} />}
    </Context>
  );
}

function PendingBar({ state, setState }: { state: State; setState: (next: State | null) => void }) {
  const { send, atMs, phase, message } = state;
  const start = useStartOf(setState);
  const leftMs = useLeftMs(atMs, phase === "waiting");
  useEffect(() => {
    if (phase === "waiting" && leftMs === 0) void start(send);
  }, [phase, leftMs, send, start]);
  useWarningBeforeLeaving(phase !== "refused");
  const audience = people(send.audience, send.audienceExact);
  return (
    <Affix position={{ bottom: 20, left: 16, right: 16 }}>
      <Paper role="alert" className={classes.bar} maw={640} mx="auto" p="md" data-testid="pending-send">
        <Group justify="space-between" wrap="nowrap" gap="md">
          <Text size="sm" fw={500}>
            {phase === "refused" ? message : phase === "sending" ? "Starting the send…" : `Sending to ${audience}`}
          </Text>
          <Group gap="xs" wrap="nowrap">
            {phase === "waiting" && (
              <Button
                variant="default"
                leftSection={<Icon name="cross" size={16} />}
                onClick={() => setState(null)}
                autoFocus
              >
                Undo
              </Button>
            )}
            {phase === "refused" && (
              <>
                <Button variant="default" onClick={() => setState(null)}>
                  Leave it
                </Button>
                <Button onClick={() => void start(send)}>Try again</Button>
              </>
            )}
          </Group>
        </Group>
        {phase === "waiting" && (
          <>
            <Text size="xs" c="dimmed" mt={4} aria-hidden="true">
              in {Math.ceil(leftMs / 1_000)} s · {send.title}
            </Text>
            <Progress
              value={(100 * leftMs) / undoMs}
              size="xs"
              mt="xs"
              transitionDuration={tickMs}
              aria-hidden="true"
            />
          </>
        )}
      </Paper>
    </Affix>
  );
}

/** Both calls can be repeated safely: their idempotency keys are the id of the campaign and of the request. */
function startSend({ tenantId, campaignId, requestId }: PendingSend): Promise<unknown> {
  if (requestId !== undefined) return approveRequest(tenantId, campaignId, requestId);
  return sendCampaignNow(tenantId, campaignId);
}

function useStartOf(setState: (next: State | null) => void) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return useCallback(
    async (send: PendingSend) => {
      setState({ send, atMs: 0, phase: "sending" });
      try {
        await startSend(send);
        await queries.invalidateQueries();
        setState(null);
        const { siteId, campaignId } = send;
        await navigate({ to: "/sites/$siteId/campaigns/$campaignId", params: { siteId, campaignId } });
      } catch (error) {
        setState({ send, atMs: 0, phase: "refused", message: `Not sent. ${toApiError(error).message}` });
      }
    },
    [navigate, queries, setState],
  );
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

function useWarningBeforeLeaving(isPending: boolean): void {
  useEffect(() => {
    if (!isPending) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isPending]);
}

import { Button, Group, Stack, Table, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueries } from "@tanstack/react-query";
import { type AudienceSize, askToSend, type CampaignView } from "../api/calls.ts";
import { ApiError, toApiError } from "../api/client.ts";
import { FormError } from "../components/form-error.tsx";
import { Icon } from "../components/icon.tsx";
import { countOf, people } from "../components/numbers.ts";
import { ErrorState, LoadingState } from "../components/states.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { useUndoWindow } from "../layout/undo-window.tsx";
import { words } from "../words/words.ts";
import { audienceQuery } from "./audience-query.ts";
import { DecisionNow } from "./decision-now.tsx";
import { NudgeToSend } from "./nudge-to-send.tsx";
import { sumOf, useNamesOfSites } from "./other-sites.ts";
import { wordsOfGate } from "./shut-gates.tsx";
import { useConfirmAbove, wantsSecondPerson } from "./use-second-person.ts";

type Dialog = { campaigns: CampaignView[]; onClose: () => void };

/** A campaign of the group, and what the button does with it: send it, ask a second person, or leave it out. */
type Row = { campaign: CampaignView; size: AudienceSize; state: "sends" | "asks" | "refused" };

/** Asks whether to send a notification to several sites. Shows the audience of each site, and the sum. */
export function GroupQuestion({ campaigns, onClose }: Dialog) {
  const currentSite = useCurrentSite();
  const confirmAbove = useConfirmAbove();
  const sizes = useQueries({
    queries: campaigns.map((campaign) => ({
      ...audienceQuery({ ...currentSite, siteId: campaign.siteId }, campaign),
      staleTime: 0,
    })),
  });
  const failed = sizes.find(({ error }) => error !== null);
  if (failed !== undefined) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />;
  const isCounting = sizes.some(({ data, isFetchedAfterMount }) => data === undefined || !isFetchedAfterMount);
  if (isCounting || confirmAbove === undefined) return <LoadingState label={words.compose.countingTheAudience} />;
  const rows = campaigns.map((campaign, i): Row => {
    const size = sizes[i]!.data!;
    const isLarge = wantsSecondPerson(confirmAbove, size.alone ?? size.proven);
    return { campaign, size, state: size.shut.length > 0 ? "refused" : isLarge ? "asks" : "sends" };
  });
  return <Sites rows={rows} onClose={onClose} />;
}

function Sites({ rows, onClose }: { rows: Row[]; onClose: () => void }) {
  const send = useSendToAll(rows, onClose);
  const isIn = (...states: Row["state"][]) => rows.filter(({ state }) => states.includes(state));
  const sum = sumOf(isIn("sends").map(({ size }) => size))!;
  const sends = isIn("sends").length;
  const toAll = words.compose.sitesAudience({ people: <b>{people(sum.audience, sum.exact)}</b>, sites: sends });
  return (
    <Stack>
      <NudgeToSend campaign={rows[0]!.campaign} />
      <SiteTable rows={rows} />
      <Text size="sm">
        {sends > 0 && toAll} {sends > 0 && words.compose.takeBackHint}{" "}
        {isIn("asks").length > 0 && words.compose.someSitesWaitHint}
      </Text>
      <DecisionNow campaign={rows[0]!.campaign} />
      <FormError error={send.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {words.compose.notYet}
        </Button>
        <Button
          leftSection={<Icon name={sends > 0 ? "send" : "members"} size={16} />}
          loading={send.isPending}
          disabled={isIn("sends", "asks").length === 0}
          onClick={() => send.mutate()}
          data-autofocus
        >
          {sends > 0
            ? words.compose.sendTo({ people: people(sum.audience, sum.exact) })
            : words.compose.askASecondPerson}
        </Button>
      </Group>
    </Stack>
  );
}

function SiteTable({ rows }: { rows: Row[] }) {
  const nameOf = useNamesOfSites();
  return (
    <Table verticalSpacing="xs" className="figures" aria-label={words.compose.sites} data-testid="sites-to-send">
      <Table.Tbody>
        {rows.map(({ campaign, size, state }) => (
          <Table.Tr key={campaign.campaignId} data-state={state}>
            <Table.Td>
              <bdi>{nameOf(campaign.siteId)}</bdi>
              {state === "asks" && <Note>{words.compose.secondPersonAsked}</Note>}
              {size.shut.slice(0, 1).map((gate) => (
                <Note key={gate.code}>{wordsOfGate(gate)}</Note>
              ))}
            </Table.Td>
            <Table.Td ta="right" style={{ whiteSpace: "nowrap" }}>
              {countOf(size.audience, size.exact)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Note({ children }: { children: string }) {
  return (
    <Text size="xs" c="var(--status-orange)">
      {children}
    </Text>
  );
}

/**
 * Begins the send at each site by itself, and asks a second person for those that need one. A refusal at one site
 * holds back no other. Tells which sends did not begin.
 */
function useSendToAll(rows: Row[], onClose: () => void) {
  const { tenantId } = useCurrentSite();
  const { begin } = useUndoWindow();
  const nameOf = useNamesOfSites();
  const beginOrAsk = async ({ campaignId, updatedAt }: CampaignView): Promise<"began" | "asked"> => {
    try {
      await begin(campaignId, { updatedAt });
      return "began";
    } catch (error) {
      if (toApiError(error).code !== "confirmation_required") throw error;
      await askToSend(tenantId, campaignId, null);
      return "asked";
    }
  };
  return useMutation({
    async mutationFn() {
      const results = await Promise.allSettled(rows.map(({ campaign }) => beginOrAsk(campaign)));
      const refused = results.flatMap((result, i) => {
        if (result.status === "fulfilled") return [];
        return [`${nameOf(rows[i]!.campaign.siteId)}: ${toApiError(result.reason).message}`];
      });
      if (refused.length === rows.length) throw new ApiError(409, { code: "refused", message: refused.join(" ") });
      const asked = results.filter((result) => result.status === "fulfilled" && result.value === "asked").length;
      return { asked, refused };
    },
    onSuccess({ asked, refused }) {
      for (const message of refused)
        notifications.show({ color: "yellow", title: words.compose.notToThisSite, message, autoClose: 15_000 });
      if (asked > 0) notifications.show({ color: "green", message: words.compose.sitesWait({ n: asked }) });
      onClose();
    },
  });
}

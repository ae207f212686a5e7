import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { type CampaignView, scheduleCampaign } from "../api/calls.ts";
import { toApiError } from "../api/client.ts";
import { FormError, faultIn } from "../components/form-error.tsx";
import { inZone } from "../components/said.tsx";
import { momentIn } from "../components/times.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { audienceQuery } from "./audience.tsx";
import { BestHours } from "./best-hours.tsx";
import { useAskToSend, useConfirmAbove, wantsSecondPerson } from "./use-second-person.ts";
import { localIn, momentAt, suggestedTimes, type ZoneTime } from "./zone-time.ts";

/** Asks for the time of a scheduled send, in the time zone of the site. */
export function ScheduleDialog({ campaign, onClose }: { campaign: CampaignView | null; onClose: () => void }) {
  return (
    <Modal opened={campaign !== null} onClose={onClose} title={<b>{words.compose.scheduleThisNudge}</b>}>
      {campaign !== null && <Time campaign={campaign} onClose={onClose} />}
    </Modal>
  );
}

const hourMs = 3_600_000;

function Time({ campaign, onClose }: { campaign: CampaignView; onClose: () => void }) {
  const { site } = useCurrentSite();
  const { timeZone } = site;
  const inAnHour = () => localIn(timeZone, Math.ceil((Date.now() + hourMs) / hourMs) * hourMs);
  const [local, setLocal] = useState(
    campaign.scheduledAt ? localIn(timeZone, Date.parse(campaign.scheduledAt)) : inAnHour,
  );
  const moment = futureOf(momentAt(local, timeZone));
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const schedule = useSchedule(campaign, onClose);
  const ask = useAskToSend(campaign, onClose);
  const size = useQuery(audienceQuery(useCurrentSite(), campaign));
  // The service knows what else goes out within an hour of the chosen time.
  const isRefused = schedule.error !== null && toApiError(schedule.error).code === "confirmation_required";
  const isLarge = wantsSecondPerson(useConfirmAbove(), size.data?.proven) || isRefused;
  const work = isLarge ? ask : schedule;
  const choose = (chosen: string) => {
    setLocal(chosen);
    schedule.reset();
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if ("iso" in moment) work.mutate(moment.iso);
      }}
    >
      <Stack>
        <FormError error={work.error} fields={["scheduleAt"]} />
        <TextInput
          type="datetime-local"
          label={words.compose.dayAndTimeIn({ timeZone })}
          data-autofocus
          value={local}
          onChange={(event) => choose(event.currentTarget.value)}
          error={"fault" in moment ? moment.fault : inZone(faultIn(work.error, "scheduleAt") ?? "", timeZone)}
        />
        <Group gap="xs" role="group" aria-label={words.compose.oftenChosen}>
          {suggestedTimes(timeZone, Date.now()).map(({ label, local: suggested }) => (
            <Button
              key={label}
              size="compact-sm"
              radius="xl"
              variant={suggested === local ? "filled" : "light"}
              onClick={() => choose(suggested)}
            >
              {label}
            </Button>
          ))}
        </Group>
        <BestHours local={local} choose={choose} />
        {"iso" in moment && (
          <Text size="sm" c="dimmed">
            {own === timeZone
              ? words.compose.byTheClocksOf({ when: momentIn(timeZone, moment.iso), site: site.name })
              : words.compose.byBothClocks({
                  when: momentIn(timeZone, moment.iso),
                  site: site.name,
                  own: momentIn(own, moment.iso),
                })}
            {moment.isTwice && ` ${words.compose.hourComesTwice}`}
          </Text>
        )}
        {isLarge && (
          <Text size="sm">
            {isRefused && `${words.compose.withOthersItReachesMany} `}
            {words.compose.soManyNeedASecondPerson}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {words.compose.notYet}
          </Button>
          <Button type="submit" disabled={"fault" in moment} loading={work.isPending}>
            {isLarge ? words.compose.askASecondPerson : words.compose.schedule}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** A time that has passed is refused while it is typed. */
function futureOf(moment: ZoneTime): ZoneTime {
  if ("fault" in moment || Date.parse(moment.iso) > Date.now()) return moment;
  return { fault: words.compose.timeHasPassed };
}

function useSchedule({ campaignId }: CampaignView, onClose: () => void) {
  const { tenantId, siteId, site } = useCurrentSite();
  const navigate = useNavigate();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (iso: string) => scheduleCampaign(tenantId, campaignId, iso),
    async onSuccess({ warnings }) {
      for (const { message } of warnings)
        notifications.show({
          color: "yellow",
          title: words.compose.scheduledBut,
          message: inZone(message, site.timeZone),
          autoClose: 15_000,
        });
      await queries.invalidateQueries();
      onClose();
      await navigate({ to: "/sites/$siteId/campaigns/$campaignId", params: { siteId, campaignId } });
    },
  });
}

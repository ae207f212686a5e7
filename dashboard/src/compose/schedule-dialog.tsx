import { Button, Checkbox, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { type CampaignView, type Schedule, scheduleCampaign } from "../api/calls.ts";
import { toApiError } from "../api/client.ts";
import { FormError, faultIn } from "../components/form-error.tsx";
import { inZone } from "../components/said.tsx";
import { momentIn } from "../components/times.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { audienceQuery } from "./audience-query.ts";
import { BestHours } from "./best-hours.tsx";
import { Meanwhile, useMeanwhile } from "./meanwhile.tsx";
import { ShutGates } from "./shut-gates.tsx";
import { useAskToSend, useConfirmAbove, wantsSecondPerson } from "./use-second-person.ts";
import { localIn, momentAt, suggestedTimes, type ZoneTime } from "./zone-time.ts";

/**
 * Asks for the time of a scheduled send, in the time zone of the site. `day` (YYYY-MM-DD): the proposed day. Absent:
 * the day already planned, or today. `staysHere`: whether the page stays open. If not, the campaign's page opens.
 */
export function ScheduleDialog(props: {
  campaign: CampaignView | null;
  day?: string | undefined;
  staysHere?: boolean;
  onClose: () => void;
}) {
  const { campaign, day, staysHere = false, onClose } = props;
  return (
    <Modal opened={campaign !== null} onClose={onClose} title={<b>{words.compose.scheduleThisNudge}</b>}>
      {campaign !== null && <Time campaign={campaign} day={day} staysHere={staysHere} onClose={onClose} />}
    </Modal>
  );
}

const hourMs = 3_600_000;

type TimeProps = { campaign: CampaignView; day: string | undefined; staysHere: boolean; onClose: () => void };

/** The proposed time on a day without a planned time. */
const morning = "08:00";

/** Returns the time that the dialog proposes, as the value of a datetime-local field. */
function firstTime(campaign: CampaignView, timeZone: string, day: string | undefined): string {
  const inAnHour = localIn(timeZone, Math.ceil((Date.now() + hourMs) / hourMs) * hourMs);
  const planned = plannedOf(campaign, timeZone);
  if (day === undefined || (planned === undefined && inAnHour.startsWith(day))) return planned ?? inAnHour;
  return `${day}T${planned?.slice(11) ?? morning}`;
}

function Time({ campaign, day, staysHere, onClose }: TimeProps) {
  const { site } = useCurrentSite();
  const { timeZone } = site;
  const [local, setLocal] = useState(() => firstTime(campaign, timeZone, day));
  const [isWhereReadersAre, setWhereReadersAre] = useState(campaign.localTime !== null);
  const moment = isWhereReadersAre ? nowhereOver(local, timeZone) : futureOf(momentAt(local, timeZone));
  const schedule = useSchedule({ campaign, staysHere, onClose });
  const ask = useAskToSend(campaign, onClose);
  const size = useQuery(audienceQuery(useCurrentSite(), campaign));
  // Only the service knows what else goes out within an hour of the chosen time.
  const isRefused = schedule.error !== null && toApiError(schedule.error).code === "confirmation_required";
  const isLarge = wantsSecondPerson(useConfirmAbove(), size.data?.proven) || isRefused;
  const work = isLarge ? ask : schedule;
  const meanwhile = useMeanwhile(campaign);
  const hasChanged = meanwhile !== undefined && work.isIdle;
  const refused = faultIn(work.error, "scheduleAt") ?? faultIn(work.error, "localTime");
  const choose = (chosen: string) => {
    setLocal(chosen);
    schedule.reset();
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if ("iso" in moment) work.mutate(isWhereReadersAre ? atLocalTime(local) : { scheduleAt: moment.iso });
      }}
    >
      <Stack>
        <ShutGates shut={size.data?.shut ?? []} />
        {hasChanged && <Meanwhile what={meanwhile} />}
        <FormError error={work.error} fields={["scheduleAt", "localTime"]} />
        <TextInput
          type="datetime-local"
          label={isWhereReadersAre ? words.compose.dayAndTime : words.compose.dayAndTimeIn({ timeZone })}
          data-autofocus
          value={local}
          onChange={(event) => choose(event.currentTarget.value)}
          error={"fault" in moment ? moment.fault : refused}
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
        <Checkbox
          label={words.compose.readersLocalTime}
          description={words.compose.readersLocalTimeHint}
          checked={isWhereReadersAre}
          onChange={(event) => {
            setWhereReadersAre(event.currentTarget.checked);
            work.reset();
          }}
        />
        {"iso" in moment && (
          <Text size="sm" c="dimmed">
            {isWhereReadersAre ? <AllClocks local={local} here={moment.iso} /> : <TwoClocks moment={moment} />}
          </Text>
        )}
        {isLarge && (
          <Text size="sm">
            {isRefused && `${words.compose.scheduleSumHint} `}
            {words.compose.scheduleApprovalHint}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {words.compose.notYet}
          </Button>
          <Button type="submit" disabled={"fault" in moment || hasChanged} loading={work.isPending}>
            {isLarge ? words.compose.askASecondPerson : words.compose.schedule}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/**
 * Returns the time for which a campaign is scheduled, as the value of a datetime-local field. Undefined if it is not
 * scheduled.
 */
function plannedOf({ scheduledAt, localTime }: CampaignView, timeZone: string): string | undefined {
  if (localTime !== null) return `${localTime.date}T${localTime.time}`;
  return scheduledAt === null ? undefined : localIn(timeZone, Date.parse(scheduledAt));
}

function atLocalTime(local: string): Schedule {
  const [date, time] = local.split("T");
  return { localTime: { date: date!, time: time! } };
}

/** Shows a moment in the time zone of the site. Adds that of this computer if the two differ. */
function TwoClocks({ moment: { iso, isTwice } }: { moment: { iso: string; isTwice: boolean } }) {
  const { site } = useCurrentSite();
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const when = momentIn(site.timeZone, iso);
  const said =
    own === site.timeZone
      ? words.compose.timeAtSite({ when, site: site.name })
      : words.compose.timeAtBoth({ when, site: site.name, own: momentIn(own, iso) });
  return isTwice ? `${said} ${words.compose.hourComesTwice}` : said;
}

/** The furthest that clocks are ahead of UTC and behind it. */
const aheadMs = 14 * hourMs;
const behindMs = 12 * hourMs;

/** Shows in the site's time zone when a local time comes for the first readers on earth, here, and for the last. */
function AllClocks({ local, here }: { local: string; here: string }) {
  const { site } = useCurrentSite();
  const shown = Date.parse(`${local}Z`);
  const at = (ms: number) => momentIn(site.timeZone, new Date(ms).toISOString());
  return words.compose.localTimeRange({
    first: at(shown - aheadMs),
    here: momentIn(site.timeZone, here),
    last: at(shown + behindMs),
    site: site.name,
  });
}

/**
 * Returns the moment at the site of a local time that has not passed everywhere on earth. If the site's clocks skip
 * the time, the moment is an hour later.
 */
function nowhereOver(local: string, timeZone: string): ZoneTime {
  const shown = Date.parse(`${local}Z`);
  if (Number.isNaN(shown)) return momentAt(local, timeZone);
  if (shown + behindMs <= Date.now()) return { fault: words.compose.timeHasPassed };
  const here = momentAt(local, timeZone);
  return "iso" in here ? here : momentAt(new Date(shown + hourMs).toISOString().slice(0, 16), timeZone);
}

/** Returns the moment, or a fault if it has passed, so that the form refuses it at once. */
function futureOf(moment: ZoneTime): ZoneTime {
  if ("fault" in moment || Date.parse(moment.iso) > Date.now()) return moment;
  return { fault: words.compose.timeHasPassed };
}

function useSchedule({ campaign: { campaignId }, staysHere, onClose }: Omit<TimeProps, "day">) {
  const { tenantId, siteId, site } = useCurrentSite();
  const navigate = useNavigate();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (at: Schedule) => scheduleCampaign(tenantId, campaignId, at),
    async onSuccess({ warnings }) {
      for (const warning of warnings)
        notifications.show({
          color: "yellow",
          title: words.compose.scheduledWarningTitle,
          message: inZone(warning, site.timeZone),
          autoClose: 15_000,
        });
      await queries.invalidateQueries();
      onClose();
      if (!staysHere) await navigate({ to: "/sites/$siteId/campaigns/$campaignId", params: { siteId, campaignId } });
    },
  });
}

import { NativeSelect } from "@mantine/core";
import type { CampaignClass } from "../../../src/tenants/sites/campaign-classes.ts";
import { classNames, nameOfClass, useClassRules } from "../components/class-names.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

/** The choice of a campaign's class. Classes that the member may not send are disabled. */
export function ClassChoice({ value, onChange }: { value: CampaignClass; onChange: (chosen: CampaignClass) => void }) {
  const { role } = useCurrentSite();
  const rules = useClassRules();
  const maySend = (name: CampaignClass) => rules?.[name].senders.some((sender) => sender === role) ?? true;
  return (
    <NativeSelect
      label={words.compose.classOfCampaign}
      description={maySend(value) ? words.compose.classHint : words.compose.classNotAllowed}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value as CampaignClass)}
      data={classNames.map((name) => ({
        value: name,
        label: nameOfClass(name, rules?.[name]),
        disabled: !maySend(name) && name !== value,
      }))}
    />
  );
}

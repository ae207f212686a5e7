import { Textarea } from "@mantine/core";
import type { AutomatedNudge } from "../../../src/automations/nudge-fields.ts";
import { AddressInput } from "../components/address-input.tsx";
import { Counted } from "../compose/counted.tsx";
import { maxBodyLength, maxTitleLength } from "../compose/draft.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

type Props = {
  nudge: AutomatedNudge;
  write: (change: Partial<AutomatedNudge>) => void;
  /** Returns the fault of a field, or undefined. */
  faultOf: (field: keyof AutomatedNudge) => string | undefined;
};

/** The texts and addresses of a notification that the site sends repeatedly. */
export function NudgeFields({ nudge, write, faultOf }: Props) {
  const { canEdit } = useCurrentSite();
  const { title, text, address, picture } = words.settings.automatedNudge;
  const written = (field: "title" | "body", label: string, max: number) => (
    <Textarea
      label={<Counted label={label} text={nudge[field]} max={max} />}
      labelProps={{ display: "block" }}
      autosize
      minRows={1}
      maxRows={4}
      disabled={!canEdit}
      value={nudge[field]}
      onChange={(event) => write({ [field]: event.currentTarget.value.replace(/\n/g, " ") })}
      error={faultOf(field)}
    />
  );
  const leadsTo = (field: "url" | "imageUrl", label: string) => (
    <AddressInput
      label={label}
      disabled={!canEdit}
      value={nudge[field] ?? ""}
      write={(url) => write({ [field]: url })}
      error={faultOf(field)}
    />
  );
  return (
    <>
      {written("title", title, maxTitleLength)}
      {written("body", text, maxBodyLength)}
      {leadsTo("url", address)}
      {leadsTo("imageUrl", picture)}
    </>
  );
}

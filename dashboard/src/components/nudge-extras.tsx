import { Anchor, Text } from "@mantine/core";
import type { CampaignView } from "../api/calls.ts";
import { words } from "../words/words.ts";

/**
 * The parts of a notification beside its text and picture, such as buttons and a silent delivery, which a CMS can
 * set.
 */
export function NudgeExtras({ campaign: { actions = [], silent, requireInteraction } }: { campaign: CampaignView }) {
  const ways = [silent && words.components.withoutSound, requireInteraction && words.components.staysOnScreen];
  const said = ways.filter((way) => typeof way === "string").join(" · ");
  return (
    <>
      {actions.map(({ title, url }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two buttons may be the same, and their order is theirs
        <Text key={i} size="sm" style={{ overflowWrap: "anywhere" }}>
          {words.components.nudgeButton({
            title: <bdi>{title}</bdi>,
            link: (
              <Anchor href={url} rel="noreferrer noopener" target="_blank" inherit underline="always">
                {url}
              </Anchor>
            ),
          })}
        </Text>
      ))}
      {said !== "" && <Text size="sm">{said}</Text>}
    </>
  );
}

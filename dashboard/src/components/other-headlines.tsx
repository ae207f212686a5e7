import { Text } from "@mantine/core";
import type { CampaignView } from "../api/calls.ts";
import { words } from "../words/words.ts";

/** The other notifications that a campaign tries, each by what it has of its own. */
export function OtherHeadlines({ campaign: { variants = [] } }: { campaign: CampaignView }) {
  return variants.map(({ title, body, imageUrl }) => (
    <Text size="sm" mt={4} key={`${title} ${body} ${imageUrl}`} style={{ overflowWrap: "anywhere" }}>
      {words.compose.orTriedAs}{" "}
      <bdi>{[title, sayText(body), sayPicture(imageUrl)].filter((part) => part !== undefined).join(" · ")}</bdi>
    </Text>
  ));
}

/** Says the text of a variant; undefined: that of the campaign. */
export const sayText = (body: string | undefined) => (body === "" ? words.compose.noText : body);

/** Says the picture of a variant; undefined: that of the campaign. */
export const sayPicture = (url: string | null | undefined) =>
  url === "" || url === null ? words.compose.noPicture : url;

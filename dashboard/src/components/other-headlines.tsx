import { Text } from "@mantine/core";
import type { CampaignView } from "../api/calls.ts";
import { words } from "../words/words.ts";

/** The other notifications that a campaign tries. Each shows only the parts in which it differs. */
export function OtherHeadlines({ campaign: { variants = [] } }: { campaign: CampaignView }) {
  return variants.map(({ title, body, imageUrl }) => (
    <Text size="sm" mt={4} key={`${title} ${body} ${imageUrl}`} style={{ overflowWrap: "anywhere" }}>
      {words.compose.otherHeadlines}{" "}
      <bdi>{[title, sayText(body), sayPicture(imageUrl)].filter((part) => part !== undefined).join(" · ")}</bdi>
    </Text>
  ));
}

/** Returns the words for the text of a variant, or undefined if it has the campaign's text. */
export const sayText = (body: string | undefined) => (body === "" ? words.compose.noText : body);

/** Returns the words for the picture of a variant, or undefined if it has the campaign's picture. */
export const sayPicture = (url: string | null | undefined) =>
  url === "" || url === null ? words.compose.noPicture : url;

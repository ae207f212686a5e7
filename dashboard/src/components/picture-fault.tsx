import { Anchor, Text } from "@mantine/core";
import { words } from "../words/words.ts";

/** Says why a picture is not to be seen, as far as a browser tells its page. Readers' browsers then show none, too. */
export function PictureFault({ url }: { url: string }) {
  return (
    <Text size="sm" c="var(--status-orange)" data-picture-fault>
      {words.components.readersGetTheNudgeWithout({
        value: url.startsWith("https://")
          ? words.components.thePictureDoesNotLoad
          : words.components.thePictureDoesNotLoad2,
      })}
      <Anchor href={url} rel="noreferrer noopener" target="_blank" inherit underline="always">
        {words.components.openItsAddress}
      </Anchor>
    </Text>
  );
}

import { Anchor, Text } from "@mantine/core";
import { words } from "../words/words.ts";

/**
 * A note that a picture cannot be shown, with the reason as far as the browser tells it. Readers' browsers do not
 * show it either.
 */
export function PictureFault({ url }: { url: string }) {
  const { pictureIsMissing, pictureIsNotHttps, openItsAddress } = words.components;
  const say = url.startsWith("https://") ? pictureIsMissing : pictureIsNotHttps;
  const link = (
    <Anchor href={url} rel="noreferrer noopener" target="_blank" inherit underline="always">
      {openItsAddress}
    </Anchor>
  );
  return (
    <Text size="sm" c="var(--status-orange)" data-picture-fault>
      {say({ link })}
    </Text>
  );
}

import { Anchor, Text } from "@mantine/core";
import { words } from "../words/words.ts";

/** Says why a picture is not to be seen, as far as a browser tells its page. Readers' browsers then show none, too. */
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

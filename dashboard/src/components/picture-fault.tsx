import { Anchor, Text } from "@mantine/core";

/** Says why a picture is not to be seen, as far as a browser tells its page. Readers' browsers then show none, too. */
export function PictureFault({ url }: { url: string }) {
  return (
    <Text size="sm" c="var(--status-orange)" data-picture-fault>
      {url.startsWith("https://")
        ? "The picture does not load: its address does not answer, is no picture, or serves its own site only. "
        : "The picture does not load: its address has to begin with https://. "}
      Readers get the nudge without it.{" "}
      <Anchor href={url} rel="noreferrer noopener" target="_blank" inherit underline="always">
        Open its address
      </Anchor>
    </Text>
  );
}

import { Alert, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { subscribers } from "../api/calls.ts";
import { linkForDevice, type TestLink } from "../api/subscriber-calls.ts";
import { CopyBlock } from "../components/copy.tsx";
import { FormError, faultIn } from "../components/form-error.tsx";
import { Icon } from "../components/icon.tsx";
import { momentIn } from "../components/times.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

const QrCode = lazy(() => import("./qr-code.tsx"));

/** Creates a link that makes the browser that opens it a test device. `known`: the number of devices so far. */
export function NewTestDevice({ known }: { known: number }) {
  const { tenantId, siteId } = useCurrentSite();
  const [label, setLabel] = useState("");
  const [created, setCreated] = useState<{ link: TestLink; known: number } | null>(null);
  const create = useMutation({
    mutationFn: () => linkForDevice(tenantId, siteId, label),
    onSuccess(link) {
      setCreated({ link, known });
      setLabel("");
    },
  });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate();
      }}
    >
      <Stack gap="sm" mt="md">
        <FormError error={create.error} fields={["label"]} />
        <Group align="flex-start" gap="xs">
          <TextInput
            label={words.subscribers.newTestDeviceName}
            placeholder={words.subscribers.newTestDeviceExample}
            flex="1 1 200px"
            value={label}
            onChange={(event) => setLabel(event.currentTarget.value)}
            error={faultIn(create.error, "label")}
          />
          <Button type="submit" variant="default" loading={create.isPending} mt={25}>
            {words.subscribers.makeALink}
          </Button>
        </Group>
        {created !== null && <Link link={created.link} hasJoined={known > created.known} />}
      </Stack>
    </form>
  );
}

function Link({ link: { link, label, expiresAt }, hasJoined }: { link: TestLink; hasJoined: boolean }) {
  const { tenantId, siteId, site } = useCurrentSite();
  // The page polls while the link is shown, so that it shows when the device has joined.
  useQuery({
    queryKey: ["subscribers", siteId],
    queryFn: () => subscribers(tenantId, siteId),
    refetchInterval: hasJoined ? false : 3_000,
  });
  if (hasJoined) {
    return (
      <Alert color="green" variant="light" icon={<Icon name="check" />} role="status">
        {words.subscribers.testDeviceJoined}
      </Alert>
    );
  }
  return (
    <Alert color="yellow" variant="light" icon={<Icon name="device" />} title={words.subscribers.openThisOn({ label })}>
      <Group align="flex-start" gap="lg">
        <Suspense fallback={<div style={{ width: 220, height: 220 }} />}>
          <QrCode text={link} label={words.subscribers.qrCodeOfTheLink({ label })} />
        </Suspense>
        <Stack flex="1 1 240px" gap="sm" miw={0}>
          <Text size="sm">
            {words.subscribers.testDeviceLinkHint({ url: site.url, when: momentIn(site.timeZone, expiresAt) })}
          </Text>
          <CopyBlock text={link} label={words.subscribers.linkForTheDevice} />
        </Stack>
      </Group>
    </Alert>
  );
}

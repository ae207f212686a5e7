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

const QrCode = lazy(() => import("./qr-code.tsx"));

/**
 * Creates a link that turns the browser in which it is opened into a test device. `known`: the number of devices so
 * far.
 */
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
            label="Name of a new test device"
            placeholder="Newsroom phone"
            flex="1 1 200px"
            value={label}
            onChange={(event) => setLabel(event.currentTarget.value)}
            error={faultIn(create.error, "label")}
          />
          <Button type="submit" variant="default" loading={create.isPending} mt={25}>
            Make a link
          </Button>
        </Group>
        {created !== null && <Link link={created.link} hasJoined={known > created.known} />}
      </Stack>
    </form>
  );
}

function Link({ link: { link, label, expiresAt }, hasJoined }: { link: TestLink; hasJoined: boolean }) {
  const { tenantId, siteId, site } = useCurrentSite();
  // Polls while the link is shown, so that the page shows when the device has joined.
  useQuery({
    queryKey: ["subscribers", siteId],
    queryFn: () => subscribers(tenantId, siteId),
    refetchInterval: hasJoined ? false : 3_000,
  });
  if (hasJoined) {
    return (
      <Alert color="green" variant="light" icon={<Icon name="check" />} role="status">
        A device has joined: send it a test from compose.
      </Alert>
    );
  }
  return (
    <Alert color="yellow" variant="light" icon={<Icon name="device" />} title={`Open this on “${label}”`}>
      <Group align="flex-start" gap="lg">
        <Suspense fallback={<div style={{ width: 220, height: 220 }} />}>
          <QrCode text={link} label={`QR code of the link for ${label}`} />
        </Suspense>
        <Stack flex="1 1 240px" gap="sm" miw={0}>
          <Text size="sm">
            It opens {site.url}, where the snippet has to be installed, and asks to allow notifications. Until{" "}
            {momentIn(site.timeZone, expiresAt)} it makes a test device of every browser in which it is opened: hand it
            on as you would a password. On an iPhone add the site to the home screen first.
          </Text>
          <CopyBlock text={link} label="link for the device" />
        </Stack>
      </Group>
    </Alert>
  );
}

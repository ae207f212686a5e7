import { Alert, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { subscribers } from "../api/calls.ts";
import { linkForDevice, type TestLink } from "../api/subscriber-calls.ts";
import { usePlace } from "../frame/session.tsx";
import { CopyBlock } from "../parts/copy.tsx";
import { FormError, faultIn } from "../parts/form-error.tsx";
import { Icon } from "../parts/icon.tsx";
import { momentIn } from "../parts/times.tsx";

const QrCode = lazy(() => import("./qr-code.tsx"));

/** Makes the link that makes a test device of the browser in which it is opened. `known`: devices so far. */
export function NewDevice({ known }: { known: number }) {
  const { tenantId, siteId } = usePlace();
  const [label, setLabel] = useState("");
  const [made, setMade] = useState<{ link: TestLink; known: number } | null>(null);
  const make = useMutation({
    mutationFn: () => linkForDevice(tenantId, siteId, label),
    onSuccess(link) {
      setMade({ link, known });
      setLabel("");
    },
  });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate();
      }}
    >
      <Stack gap="sm" mt="md">
        <FormError error={make.error} fields={["label"]} />
        <Group align="flex-start" gap="xs">
          <TextInput
            label="Name of a new test device"
            placeholder="Newsroom phone"
            flex="1 1 200px"
            value={label}
            onChange={(event) => setLabel(event.currentTarget.value)}
            error={faultIn(make.error, "label")}
          />
          <Button type="submit" variant="default" loading={make.isPending} mt={25}>
            Make a link
          </Button>
        </Group>
        {made !== null && <Link link={made.link} hasJoined={known > made.known} />}
      </Stack>
    </form>
  );
}

function Link({ link: { link, label, expiresAt }, hasJoined }: { link: TestLink; hasJoined: boolean }) {
  const { tenantId, siteId, site } = usePlace();
  // Looks for the device as long as the link is shown, so that one sees it arrive.
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

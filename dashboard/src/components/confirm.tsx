import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { words } from "../words/words.ts";
import { FormError } from "./form-error.tsx";

/**
 * A confirmation dialog for an action that cannot be undone. `action`: the label of its button. `act`: what the
 * button does. If it fails, the dialog stays open. `refusal`: the label of the other button, by default "Keep it".
 */
export function Confirm(props: {
  opened: boolean;
  title: string;
  children: ReactNode;
  action: string;
  refusal?: string;
  act: () => Promise<unknown>;
  onClose: () => void;
}) {
  const { opened, title, children, action, refusal = words.components.keepIt, act, onClose } = props;
  const run = useMutation({ mutationFn: act, onSuccess: onClose });
  const close = () => {
    run.reset();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={<b>{title}</b>}>
      <Stack>
        <FormError error={run.error} />
        <Text size="sm" component="div">
          {children}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {refusal}
          </Button>
          <Button color="red.9" loading={run.isPending} onClick={() => run.mutate()} data-autofocus>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

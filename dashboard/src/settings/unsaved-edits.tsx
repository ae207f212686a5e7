import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { createContext, type ReactNode, useContext, useEffect, useId, useRef } from "react";
import { words } from "../words/words.ts";

const UnsavedForms = createContext<Set<string>>(new Set());

/** Tells the page around a form whether the form has unsaved edits. */
export function useUnsavedEdits(isUnsaved: boolean): void {
  const forms = useContext(UnsavedForms);
  const id = useId();
  useEffect(() => {
    if (isUnsaved) forms.add(id);
    return () => {
      forms.delete(id);
    };
  }, [forms, id, isUnsaved]);
}

/** Asks for a confirmation before the page is left while one of its forms has unsaved edits. */
export function UnsavedEdits({ children }: { children: ReactNode }) {
  const forms = useRef(new Set<string>()).current;
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => forms.size > 0,
    enableBeforeUnload: () => forms.size > 0,
    withResolver: true,
  });
  return (
    <UnsavedForms value={forms}>
      {children}
      <Modal opened={status === "blocked"} onClose={() => reset?.()} title={<b>{words.settings.leaveUnsaved}</b>}>
        <Stack>
          <Text size="sm">{words.settings.unsavedWarning}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={proceed}>
              {words.settings.leaveThem}
            </Button>
            <Button onClick={reset} data-autofocus>
              {words.settings.stayHere}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </UnsavedForms>
  );
}

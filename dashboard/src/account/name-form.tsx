import { Button, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { changeName } from "../api/calls.ts";
import { FormError, faultIn } from "../components/form-error.tsx";
import { words } from "../words/words.ts";

/** The form for the person's name, which others see beside the person's address. */
export function NameForm({ name }: { name: string }) {
  const [input, setInput] = useState(name);
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: changeName,
    async onSuccess() {
      notifications.show({ color: "green", message: words.account.nameSaved });
      await queries.invalidateQueries();
    },
  });
  return (
    <Paper component="section" aria-label={words.account.yourName} maw={640}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate(input);
        }}
      >
        <Stack>
          <div>
            <Title order={2} size="h4">
              {words.account.yourName}
            </Title>
            <Text size="sm" c="dimmed">
              {words.account.nameHint}
            </Text>
          </div>
          <FormError error={change.error} fields={["name"]} />
          <TextInput
            label={words.account.name}
            autoComplete="name"
            value={input}
            onChange={(event) => setInput(event.currentTarget.value)}
            error={faultIn(change.error, "name")}
          />
          <Button type="submit" loading={change.isPending}>
            {words.account.saveTheName}
          </Button>
        </Stack>
      </form>
    </Paper>
  );
}

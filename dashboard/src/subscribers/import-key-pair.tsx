import { Alert, Button, Code, FileInput, Stack, Text, Textarea, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { importKeyPair } from "../api/subscriber-calls.ts";
import { FormError, faultIn } from "../components/form-error.tsx";
import { Icon } from "../components/icon.tsx";
import { useRecentSignIn } from "../layout/recent-sign-in.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

/** A key pair has about 150 bytes as JSON, and about 300 as PEM. */
const fileBytesAtMost = 10_000;

/** Replaces the key pair of a site without subscribers with the key pair of another service. */
export function ImportKeyPair({ isEmpty }: { isEmpty: boolean }) {
  const { tenantId, siteId } = useCurrentSite();
  const withRecentSignIn = useRecentSignIn();
  const queries = useQueryClient();
  const use = useMutation({
    mutationFn: (text: string) => withRecentSignIn(() => importKeyPair(tenantId, siteId, text)),
    onSuccess: () => queries.invalidateQueries(),
  });
  return (
    <Stack w="100%" gap="sm">
      <Title order={3} size="h5">
        {words.subscribers.importKeyPairTitle}
      </Title>
      {use.isSuccess && <ImportedNotice />}
      {!use.isSuccess && isEmpty && <PairForm error={use.error} isPending={use.isPending} use={use.mutate} />}
      {!use.isSuccess && !isEmpty && <Text size="sm">{words.subscribers.importKeyPairForbidden}</Text>}
    </Stack>
  );
}

function ImportedNotice() {
  return (
    <Alert color="green" variant="light" icon={<Icon name="check" />} role="status">
      {words.subscribers.keyPairImported}
    </Alert>
  );
}

type FormProps = { error: Error | null; isPending: boolean; use: (text: string) => void };

function PairForm({ error, isPending, use }: FormProps) {
  const [text, setText] = useState("");
  const choose = async (file: File | null) => setText(file === null ? "" : await file.slice(0, fileBytesAtMost).text());
  return (
    <form
      noValidate
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        use(text);
      }}
    >
      <Stack gap="sm" align="flex-start">
        <Text size="sm" c="dimmed">
          {words.subscribers.importKeyPairLead({ example: <Code>{'{"publicKey":"…","privateKey":"…"}'}</Code> })}
        </Text>
        <FormError error={error} fields={["vapidPair"]} />
        <FileInput
          label={words.subscribers.fileWithThePair}
          placeholder={words.subscribers.chooseAFile}
          accept=".json,.pem,.key,.txt,application/json"
          w="100%"
          onChange={(file) => void choose(file)}
        />
        <Textarea
          label={words.subscribers.orItsText}
          w="100%"
          autosize
          minRows={3}
          maxRows={8}
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={faultIn(error, "vapidPair")}
        />
        <Button type="submit" variant="default" loading={isPending} disabled={text.trim() === ""}>
          {words.subscribers.useThisPair}
        </Button>
      </Stack>
    </form>
  );
}

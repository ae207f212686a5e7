import { Button, Checkbox, FileInput, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { ApiError } from "../api/client.ts";
import { type FileLayout, previewImport } from "../api/subscriber-calls.ts";
import { FormError } from "../components/form-error.tsx";
import { Icon } from "../components/icon.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { canImport } from "./can-import.ts";
import { sampleOf } from "./file-parts.ts";
import { ImportResult } from "./import-result.tsx";
import { useImport } from "./use-import.ts";

const loadColumns = async () => ({ default: (await import("./import-columns.tsx")).ImportColumns });
const ImportColumns = lazy(loadColumns);

/**
 * Enough for about 600,000 subscribers, which take a quarter of an hour on a usual connection. The command line
 * imports larger files.
 */
const fileBytesAtMost = 256 * 1024 * 1024;
/** The number of bytes that the service looks at. */
const sampleBytes = 64 * 1024;

/** Imports subscribers from a file. */
export function ImportFile() {
  const { siteId } = useCurrentSite();
  const [file, setFile] = useState<File | null>(null);
  const [changed, setChanged] = useState<FileLayout | null>(null);
  const [bringsBack, setBringsBack] = useState(false);
  const queries = useQueryClient();
  const { state, start, stop, clear } = useImport(() => queries.invalidateQueries());
  const isRunning = state?.status === "running";
  const isTooLarge = file !== null && file.size > fileBytesAtMost;
  const preview = usePreview(isTooLarge ? null : file);
  const guess = preview.data && { ...preview.data, layout: changed ?? preview.data.layout };
  const choose = (chosen: File | null) => {
    clear();
    setChanged(null);
    setBringsBack(false);
    setFile(chosen);
    // They are shown with the answer on the file.
    loadColumns().catch(() => {});
  };
  return (
    <Paper component="section" aria-label={words.subscribers.importIt}>
      <Title order={2} size="h4" mb={4}>
        {words.subscribers.importIt}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {words.subscribers.importLead}
      </Text>
      <Stack>
        <Group align="flex-start" gap="xs">
          <FileInput
            label={words.subscribers.file}
            placeholder={words.subscribers.chooseAFile}
            accept=".ndjson,.jsonl,.txt,.json,.csv,.tsv,.gz,application/x-ndjson,text/csv"
            flex="1 1 220px"
            miw={0}
            clearable
            clearButtonProps={{ "aria-label": words.subscribers.chooseNone }}
            value={file}
            onChange={choose}
            disabled={isRunning}
            error={isTooLarge ? tooLarge(siteId) : undefined}
          />
          {isRunning ? (
            <Button mt={25} variant="default" onClick={stop}>
              {words.subscribers.stop}
            </Button>
          ) : (
            <Button
              mt={25}
              disabled={file === null || guess === undefined || !canImport(guess)}
              loading={preview.isLoading}
              onClick={() => void start(file!, guess!.layout, bringsBack)}
              leftSection={<Icon name="upload" size={16} />}
            >
              {words.subscribers.importIt}
            </Button>
          )}
        </Group>
        <FormError error={preview.error} />
        {guess !== undefined && state === null && (
          <Suspense>
            <ImportColumns guess={guess} onChange={setChanged} />
            <Checkbox
              label={words.subscribers.bringBackSwitch}
              description={words.subscribers.bringBackHint}
              checked={bringsBack}
              onChange={(event) => setBringsBack(event.currentTarget.checked)}
            />
          </Suspense>
        )}
        {guess !== undefined && state !== null && (
          <ImportResult
            state={state}
            bytes={file?.size ?? state.sentBytes}
            layout={guess.layout}
            header={guess.header}
          />
        )}
        {guess?.layout.format === "csv" && state !== null && !isRunning && (
          <Button variant="subtle" size="compact-sm" mr="auto" onClick={clear}>
            {words.subscribers.changeTheColumns}
          </Button>
        )}
      </Stack>
    </Paper>
  );
}

/** Asks the service for the layout of the file, by its first bytes. */
function usePreview(file: File | null) {
  const { tenantId, siteId } = useCurrentSite();
  return useQuery({
    queryKey: ["import-preview", siteId, file?.name, file?.size, file?.lastModified],
    queryFn: async () => {
      const sample = await sampleOf(file!, sampleBytes).catch(() => Promise.reject(unreadable()));
      return previewImport(tenantId, siteId, sample);
    },
    retry: false,
    enabled: file !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

const unreadable = () => new ApiError(0, { code: "unreadable_file", message: words.subscribers.fileUnreadable });

function tooLarge(siteId: string): string {
  return words.subscribers.tooLarge({ siteId });
}

import { Modal, Switch, Table } from "@mantine/core";
import { use, useState } from "react";
import { areSingleKeysOn, commandKey, switchSingleKeys } from "../layout/keys.ts";
import { CurrentSiteContext } from "../layout/session.tsx";
import { sitePagesOf } from "../layout/site-pages.ts";
import { words } from "../words/words.ts";
import classes from "./shortcut-list.module.css";

/** The keyboard shortcuts that work here. */
// biome-ignore lint/style/noDefaultExport: React's lazy takes the default export
export default function ShortcutList({ onClose }: { onClose: () => void }) {
  const currentSite = use(CurrentSiteContext);
  const [isOn, setOn] = useState(areSingleKeysOn());
  const pages = currentSite === null ? [] : sitePagesOf(currentSite);
  const ofSite: [string[], string][] = [
    ...(currentSite?.canEdit ? [[["c"], words.palette.compose] as [string[], string]] : []),
    ...pages.map(({ key, name }): [string[], string] => [["g", key], words.layout[name]]),
    [["w"], words.palette.newsroomScreen],
  ];
  const all: [string[], string][] = [
    [[`${commandKey()}K`], words.palette.openPalette],
    ...(currentSite === null ? [] : ofSite),
    [["?"], words.palette.thisList],
    [["Esc"], words.palette.closeWhatIsOpen],
  ];
  return (
    <Modal opened onClose={onClose} title={words.palette.keyboardShortcuts}>
      <Table verticalSpacing={6}>
        <Table.Tbody>
          {all.map(([keys, what]) => (
            <Table.Tr key={what}>
              <Table.Td>{what}</Table.Td>
              <Table.Td ta="right" style={{ whiteSpace: "nowrap" }}>
                {keys.map((key, i) => (
                  <span key={key}>
                    {i > 0 && ` ${words.palette.thenKey} `}
                    <kbd className={classes.key}>{key}</kbd>
                  </span>
                ))}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Switch
        mt="md"
        label={words.palette.singleKeysSwitch({ commandKey: commandKey().trim() })}
        description={words.palette.singleKeysHint}
        checked={isOn}
        onChange={(event) => {
          setOn(event.currentTarget.checked);
          switchSingleKeys(event.currentTarget.checked);
        }}
      />
    </Modal>
  );
}

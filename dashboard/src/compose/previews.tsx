import { Paper, SegmentedControl, Text, Title } from "@mantine/core";
import { useState } from "react";
import { PictureFault } from "../components/picture-fault.tsx";
import { StoryPicture } from "../components/story-picture.tsx";
import { words } from "../words/words.ts";
import classes from "./previews.module.css";

type Nudge = { title: string; body: string; imageUrl: string };

/**
 * What each system roughly shows of a collapsed notification. The lines and widths are from documentation, not from
 * measurements on devices. iOS and Firefox show no picture.
 */
const systems = {
  windows: { name: "Windows", app: "Google Chrome", titleLines: 2, bodyLines: 3, picture: "hero" },
  mac: { name: "macOS", app: "Google Chrome", titleLines: 1, bodyLines: 2, picture: "thumb" },
  android: { name: "Android", app: "Chrome", titleLines: 1, bodyLines: 1, picture: "thumb" },
  firefox: { name: "Firefox", app: "Firefox", titleLines: 1, bodyLines: 4, picture: "none" },
  ios: { name: "iOS", app: "", titleLines: 1, bodyLines: 4, picture: "none" },
} as const;

type SystemName = keyof typeof systems;

/** A preview of the notification as each system truncates it. */
export function Previews({ nudge, siteName, siteUrl }: { nudge: Nudge; siteName: string; siteUrl: string }) {
  const [name, setName] = useState<SystemName>("android");
  const [broken, setBroken] = useState("");
  const host = URL.parse(siteUrl)?.host ?? siteUrl;
  return (
    <Paper component="section" aria-label={words.compose.preview}>
      <Title order={2} size="h4" mb="sm">
        {words.compose.preview}
      </Title>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label={words.compose.system}
        value={name}
        onChange={(value) => setName(value as SystemName)}
        data={Object.entries(systems).map(([value, { name: label }]) => ({ value, label }))}
      />
      <div className={classes.screen}>
        <Shown name={name} nudge={nudge} host={host} siteName={siteName} onBroken={setBroken} />
      </div>
      {broken !== "" && broken === nudge.imageUrl && <PictureFault url={broken} />}
      <Text size="xs" c="dimmed" mt="xs">
        {words.compose.previewHint({ system: systems[name].name })}
      </Text>
    </Paper>
  );
}

type ShownProps = {
  name: SystemName;
  nudge: Nudge;
  host: string;
  siteName: string;
  onBroken: (url: string) => void;
};

function Shown({ name, nudge, host, siteName, onBroken }: ShownProps) {
  const { app, titleLines, bodyLines, picture } = systems[name];
  const source = name === "ios" ? words.compose.from({ site: siteName }) : `${app} · ${host}`;
  return (
    <div className={classes.card} data-system={name}>
      <div className={classes.row}>
        {name === "ios" || name === "mac" ? <span className={classes.app} aria-hidden="true" /> : null}
        <div className={classes.words}>
          {name !== "ios" && <div className={classes.source}>{source}</div>}
          <div className={classes.title} data-lines={titleLines} dir="auto" data-testid="preview-title">
            {nudge.title || words.compose.title}
          </div>
          {name === "ios" && <div className={classes.source}>{source}</div>}
          <div className={classes.body} data-lines={bodyLines} dir="auto">
            {nudge.body}
          </div>
        </div>
        {picture === "thumb" && <StoryPicture url={nudge.imageUrl} className={classes.thumb} onBroken={onBroken} />}
      </div>
      {picture === "hero" && <StoryPicture url={nudge.imageUrl} className={classes.hero} onBroken={onBroken} />}
    </div>
  );
}

const names: Record<string, string> = {
  fcm: "Google: Chrome, Edge, Opera",
  mozilla: "Mozilla: Firefox",
  apple: "Apple: Safari",
  wns: "Microsoft: Edge on Windows",
};

/** The push service of a lane with its browsers; a lane of its own is named by its address. */
export function nameOfLane(lane: string): string {
  return names[lane] ?? lane;
}

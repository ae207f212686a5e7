import { readFileSync, writeFileSync } from "node:fs";
import { writeImportRules } from "./biome.ts";

const path = new URL("../../biome.json", import.meta.url);
writeFileSync(path, writeImportRules(readFileSync(path, "utf8")));

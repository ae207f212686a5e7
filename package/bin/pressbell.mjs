// Starts Pressbell from the npm package: the service, or the command that is given. package/build.ts copies launch/
// beside this file. It is plain JavaScript, so that it runs on Node.js 20.
import "./launch/check.mjs";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../src/main.js", import.meta.url));
const given = process.argv.slice(2);
const args = given.length === 0 ? ["start"] : given;
import("./launch/runtime.mjs").then(({ runProgram }) => runProgram(main, args, "npm install --include=optional"));

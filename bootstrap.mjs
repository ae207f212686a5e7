// Runs a program of this project: `node bootstrap.mjs TARGET [args…]`, TARGET relative to this file. launch/ has the code, because
// the check of the version comes before anything that an old Node.js cannot parse or import. Plain JavaScript, so that it runs on
// Node.js 20.
import "./launch/check.mjs";

import("./launch/checkout.mjs");

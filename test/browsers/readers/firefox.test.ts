import { testInBrowser } from "./open-browser.ts";
import { suites } from "./suites.ts";

testInBrowser("Firefox", suites);

import { parentPort, workerData } from "node:worker_threads";
import { type FeedDocument, parseFeed } from "./parse-feed.ts";

/** The entry of a thread that parses one feed: it gets the document as workerData, posts the feed or null, and ends. */
parentPort!.postMessage(parseFeed(workerData as FeedDocument));

import { parentPort, workerData } from "node:worker_threads";
import { type FeedDocument, parseFeed } from "./parse-feed.ts";

/** A thread for one feed: reads the document that it is started with, answers with the feed or null, and ends. */
parentPort!.postMessage(parseFeed(workerData as FeedDocument));

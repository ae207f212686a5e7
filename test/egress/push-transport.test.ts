import { createPushTransport } from "../../src/egress/push/transport.ts";
import { transportContract } from "./transport-contract.ts";

transportContract("the transport over node:http2", createPushTransport);

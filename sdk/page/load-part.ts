import type * as Migration from "../migration/main.ts";
import type * as Prompt from "../prompt/main.ts";
import type * as TestDevice from "../test-device/main.ts";
import type { PageContext } from "./context.ts";
import { withReason } from "./failure.ts";

/** Scripts that most visits do not need: what asks, what migrates readers of another push service, test devices. */
type Parts = { prompt: typeof Prompt; migration: typeof Migration; "test-device": typeof TestDevice };

/** Loads a part. As a module: its address may be no script under Trusted Types. Throws a Failure. */
export function loadPart<Name extends keyof Parts>({ snippet }: PageContext, name: Name): Promise<Parts[Name]> {
  return withReason("prompt", import(`${snippet.base}/sdk/${name}.js`));
}

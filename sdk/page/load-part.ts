import type * as Migration from "../migration/main.ts";
import type * as Prompt from "../prompt/main.ts";
import type * as TestDevice from "../test-device/main.ts";
import type { PageContext } from "./context.ts";
import { withReason } from "./failure.ts";

/** Scripts that most visits do not need: the prompt, the migration from another push service, and test devices. */
type Parts = { prompt: typeof Prompt; migration: typeof Migration; "test-device": typeof TestDevice };

/**
 * Loads a part. Throws a Failure. Uses an import, because Trusted Types may forbid setting the address of a script
 * element.
 */
export function loadPart<Name extends keyof Parts>({ snippet }: PageContext, name: Name): Promise<Parts[Name]> {
  return withReason("prompt", import(`${snippet.base}/sdk/${name}.js`));
}

/** How errors are logged on Slack's side. */
import { asError, GigdeskError } from '../errors.ts';

/** An error as fields of a log line: SDK errors carry whole requests and bodies, which must not get there. */
export function errorFields(thrown: unknown): Readonly<Record<string, unknown>> {
  const error = asError(thrown);
  const code = error instanceof GigdeskError ? { code: error.code } : {};
  const cause = error.cause === undefined ? {} : { cause: `${asError(error.cause)}` };
  return { error: error.message, ...code, ...cause, stack: error.stack };
}

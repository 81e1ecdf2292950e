/** Whether Slack says that the app was removed from a workspace. Pure. */
import { z } from 'zod';

const RemovalPayload = z.object({
  type: z.literal('event_callback'),
  event: z.union([
    z.object({ type: z.literal('app_uninstalled') }),
    // The tokens of people say nothing of the app's own.
    z.object({
      type: z.literal('tokens_revoked'),
      tokens: z.object({ bot: z.array(z.unknown()).min(1) }),
    }),
  ]),
});

/** Both events come when someone removes the app, in any order. @param body a raw payload */
export function saysAppWasRemoved(body: unknown): boolean {
  return RemovalPayload.safeParse(body).success;
}

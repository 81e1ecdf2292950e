/** An outcome that everyone in the channel should know of. */
import { asError } from '../../errors.ts';
import type { ActionCall, Message } from '../routes.ts';

/** What was done stays done when the channel can't be told: that goes into the log alone. */
export async function postResultToChannel(
  call: Pick<ActionCall, 'services' | 'channel'>,
  message: Message,
): Promise<void> {
  const { slack, log } = call.services;
  try {
    await slack.post(call.channel, message);
  } catch (thrown) {
    log.warn("could not post a button's result to its channel", {
      channel: call.channel,
      error: asError(thrown),
    });
  }
}

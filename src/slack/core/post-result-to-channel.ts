/** Posts a result that everyone in the channel should see. */
import { asError } from '../../errors.ts';
import type { ActionCall, Message } from './routes.ts';

/** If posting fails, the action stays done: the failure is only logged. */
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

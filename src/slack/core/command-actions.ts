/**
 * The routes of command buttons: each runs a command for the person who presses, with the rights that typing
 * it needs.
 */
import { hasRoleAtLeast } from '../../access/access.ts';
import type { ChannelId } from '../../ids.ts';
import { type ButtonCommand, commandButtonIds, commandValueCodec } from '../kit/command-button.ts';
import { channelLink } from '../kit/mrkdwn.ts';
import { postResultToChannel } from './handler-steps.ts';
import { notAllowedMessage, unknownButtonMessage } from './request-errors.ts';
import type { ActionCall, ActionRoute, CommandRoute } from './routes.ts';
import { commandRequestLabel } from './slow-reply.ts';
import { findMembershipRefusal } from './user-channels.ts';

/** Only commands whose answers have no buttons that act on the conversation where they're shown. */
const FROM_ELSEWHERE: ReadonlySet<string> = new Set<ButtonCommand>(['resume']);

/** The same call in the channel that the button names; the person hears the result where they pressed. */
async function moveToChannel(call: ActionCall, channel: ChannelId): Promise<ActionCall | undefined> {
  const { services } = call;
  const { user } = call.person;
  const refusal = await findMembershipRefusal(services, user, channel);
  if (refusal !== undefined) {
    await call.answer({ text: refusal });
    return undefined;
  }
  return {
    ...call,
    channel,
    person: await services.resolvePerson(user, channel),
    async answer(message, to) {
      if (to !== 'channel') return call.answer(message);
      await postResultToChannel({ services, channel }, message);
      await call.answer({ text: `${channelLink(channel)}: ${message.text}` });
    },
  };
}

async function runAsTyped(call: ActionCall, command: CommandRoute): Promise<void> {
  // A button without arguments has the command's word as its value.
  const read = call.value === command.word ? { args: '' } : commandValueCodec.read(call.value);
  if (!read || (read.channel !== undefined && !FROM_ELSEWHERE.has(command.word)))
    return call.answer(unknownButtonMessage());
  const { channel = call.channel, args } = read;
  const isElsewhere = channel !== call.channel;
  const placed = isElsewhere ? await moveToChannel(call, channel) : call;
  if (!placed) return;
  if (!hasRoleAtLeast(placed.person.role, command.needs))
    return call.answer(notAllowedMessage(placed.person, command.needs, isElsewhere ? { mayAsk: false } : {}));
  await command.run({ ...placed, args });
}

/** @throws RangeError if a command with a button doesn't exist, which is always our bug. */
export function createCommandActions(commands: readonly CommandRoute[]): readonly ActionRoute[] {
  return Object.entries(commandButtonIds).map(([word, id]) => {
    const command = commands.find((each) => each.word === word);
    if (!command) throw new RangeError(`no command for the button ${id}`);
    return {
      id,
      // The role in the channel that the button names is checked when it's known.
      needs: command.needs === 'outsider' ? 'outsider' : 'viewer',
      ...(command.isSlow ? { pendingLabel: commandRequestLabel(word, '') } : {}),
      run: (call) => runAsTyped(call, command),
    };
  });
}

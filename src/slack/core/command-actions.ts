/**
 * The routes of command buttons: each runs a command for the person who presses, with the rights that typing
 * it needs.
 */
import { commandButtonIds, commandValueCodec } from '../kit/command-button.ts';
import { unknownButtonMessage } from './request-errors.ts';
import type { ActionCall, ActionRoute, CommandRoute } from './routes.ts';
import { commandRequestLabel } from './slow-reply.ts';

async function runAsTyped(call: ActionCall, command: CommandRoute): Promise<void> {
  // A button without arguments has the command's word as its value.
  const read = call.value === command.word ? { args: '' } : commandValueCodec.read(call.value);
  if (!read) return call.answer(unknownButtonMessage());
  await command.run({ ...call, args: read.args });
}

/** @throws RangeError if a command with a button doesn't exist, which is always our bug. */
export function createCommandActions(commands: readonly CommandRoute[]): readonly ActionRoute[] {
  return Object.entries(commandButtonIds).map(([word, id]) => {
    const command = commands.find((each) => each.word === word);
    if (!command) throw new RangeError(`no command for the button ${id}`);
    return {
      id,
      needs: command.needs,
      ...(command.isSlow ? { pendingLabel: commandRequestLabel(word, '') } : {}),
      run: (call) => runAsTyped(call, command),
    };
  });
}

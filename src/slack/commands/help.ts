import {
  helpOfCommand,
  helpOfTopic,
  helpOverview,
  isTopic,
  noSuchHelpMessage,
  TOPIC_NAMES,
} from '../messages/help.ts';
import type { CommandCall, CommandRoute } from '../routes.ts';

/** @param commands the whole table, help included; asked when help is. */
export function helpOn(commands: () => readonly CommandRoute[]): CommandRoute {
  return {
    word: 'help',
    topic: 'about',
    needs: 'outsider',
    usage: ['help [<command> | <topic>]'],
    summary: `Show what Gigdesk can do. Topics: ${TOPIC_NAMES.join(', ')}.`,
    examples: ['help', 'help subscribe', 'help credits'],
    async run(call: CommandCall): Promise<void> {
      const word =
        call.args
          .toLowerCase()
          .replace(/^\/?gig\s+/u, '')
          .split(/\s/u, 1)[0] ?? '';
      const route = commands().find((each) => each.word === word);
      if (route) return call.answer(helpOfCommand(route, commands()));
      if (isTopic(word)) return call.answer(helpOfTopic(word, commands()));
      if (word === '') return call.answer(helpOverview(commands()));
      await call.answer(noSuchHelpMessage(word, commands()));
    },
  };
}

import type { CommandCall, CommandRoute } from '../core/routes.ts';
import {
  commandHelpMessage,
  HELP_TOPIC_NAMES,
  helpOverview,
  isHelpTopic,
  noSuchHelpMessage,
  topicHelpMessage,
} from './help-message.ts';

/** @param commands the whole table, including help; read when help is called. */
export function createHelpCommand(commands: () => readonly CommandRoute[]): CommandRoute {
  return {
    word: 'help',
    topic: 'about',
    needs: 'outsider',
    usage: ['help [<command> | <topic>]'],
    summary: `Show what Gigdesk can do. Topics: ${HELP_TOPIC_NAMES.join(', ')}.`,
    examples: ['help', 'help subscribe', 'help credits'],
    async run(call: CommandCall): Promise<void> {
      const word =
        call.args
          .toLowerCase()
          .replace(/^\/?gig\s+/u, '')
          .split(/\s/u, 1)[0] ?? '';
      const route = commands().find((each) => each.word === word);
      if (route) return call.answer(commandHelpMessage(route, commands()));
      if (isHelpTopic(word)) return call.answer(topicHelpMessage(word, commands()));
      if (word === '') return call.answer(helpOverview(commands()));
      await call.answer(noSuchHelpMessage(word, commands()));
    },
  };
}

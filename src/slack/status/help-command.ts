/** `/gig help`: help texts, built from the routing table. */
import type { KnownBlock } from '@slack/types';
import type { Role } from '../../access/access.ts';
import { didYouMeanText } from '../core/request-errors.ts';
import type { CommandCall, CommandRoute, HelpTopic, Message } from '../core/routes.ts';
import { contextBlock, joinLines, sectionBlock } from '../kit/block-builders.ts';
import { SLASH_COMMAND } from '../kit/ids.ts';
import { codeText } from '../kit/mrkdwn.ts';

const TOPICS: Readonly<Record<HelpTopic, string>> = {
  feed: 'New projects in this channel',
  projects: 'View projects',
  bidding: 'Bidding',
  reports: 'Proposals, digest and stats',
  credits: 'Credits',
  about: 'About Gigdesk',
};

const MARKS = { outsider: '', viewer: '', bidder: ' _(bidders)_', admin: ' _(admins)_' } as const;

const NEEDS: Readonly<Record<Role, string | undefined>> = {
  outsider: undefined,
  viewer: 'For full members of this workspace, not guests.',
  bidder: 'For bidders.',
  admin: 'For admins.',
};

function usageLines(route: CommandRoute): string {
  return route.usage.map((usage) => codeText(`${SLASH_COMMAND} ${usage}`)).join('\n');
}

/** A line that fits on a phone: the command alone, and the first sentence of its summary. */
function overviewLine({ word, summary, needs }: CommandRoute): string {
  const [sentence = summary] = summary.split(/(?<=\.)\s/u, 1);
  return `${codeText(word)} ${sentence}${MARKS[needs]}`;
}

function topicLines(route: CommandRoute): string {
  return `${usageLines(route)}\n    ${route.summary}${MARKS[route.needs]}`;
}

function topicBlocks(
  topic: HelpTopic,
  routes: readonly CommandRoute[],
  draw: (route: CommandRoute) => string,
): KnownBlock[] {
  const own = routes.filter((route) => route.topic === topic);
  return own.length === 0 ? [] : [sectionBlock(joinLines(`*${TOPICS[topic]}*`, ...own.map(draw)))];
}

const USAGE_NOTE = 'Replace what is in `&lt;…&gt;`. Parts in `[…]` are optional, and `|` means or.';

/** Every command in a line, on one page. */
export function helpOverview(routes: readonly CommandRoute[]): Message {
  return {
    text: `${SLASH_COMMAND} commands`,
    blocks: [
      sectionBlock(`Type a command after ${codeText(SLASH_COMMAND)}.`),
      ...HELP_TOPIC_NAMES.filter(isHelpTopic).flatMap((topic) => topicBlocks(topic, routes, overviewLine)),
      contextBlock(
        joinLines(
          `Options and examples: ${codeText(`${SLASH_COMMAND} help <command>`)}.`,
          'Guests can only read cards, this list, and what a channel gets.',
        ),
      ),
    ],
  };
}

const HELP_TOPIC_NAMES = Object.keys(TOPICS);

/** @param word neither a command nor a topic; a stranger's text. */
function noSuchHelpMessage(word: string, routes: readonly CommandRoute[]): Message {
  const known = [...routes.map((each) => each.word), ...HELP_TOPIC_NAMES];
  const guess = didYouMeanText(word, [...new Set(known)], `${SLASH_COMMAND} help `);
  return {
    text: joinLines(
      `There's no command or topic called ${codeText(word, 40)}.${guess}`,
      `Topics: ${HELP_TOPIC_NAMES.join(', ')}. See ${codeText(`${SLASH_COMMAND} help`)} for all commands.`,
    ),
  };
}

function isHelpTopic(word: string): word is HelpTopic {
  return Object.hasOwn(TOPICS, word);
}

/** One command with its examples. */
export function commandHelpMessage(route: CommandRoute): Message {
  const needs = NEEDS[route.needs];
  const examples = route.examples.map((each) => codeText(`${SLASH_COMMAND} ${each}`));
  return {
    text: `${SLASH_COMMAND} ${route.word}: ${route.summary}`,
    blocks: [
      sectionBlock(joinLines(usageLines(route), route.summary, route.details)),
      ...(examples.length > 0 ? [sectionBlock(joinLines('*Examples*', ...examples))] : []),
      contextBlock(USAGE_NOTE),
      ...(needs ? [contextBlock(needs)] : []),
    ],
  };
}

/** @param commands the whole table, including help; read when help is called. */
export function createHelpCommand(commands: () => readonly CommandRoute[]): CommandRoute {
  return {
    word: 'help',
    topic: 'about',
    needs: 'outsider',
    usage: ['help [<command> | <topic>]'],
    summary: `List all commands, or explain one. Topics: ${HELP_TOPIC_NAMES.join(', ')}.`,
    examples: ['help', 'help subscribe', 'help credits'],
    async run(call: CommandCall): Promise<void> {
      const word =
        call.args
          .toLowerCase()
          .replace(/^\/?gig\s+/u, '')
          .split(/\s/u, 1)[0] ?? '';
      const route = commands().find((each) => each.word === word);
      if (route) return call.answer(commandHelpMessage(route));
      if (isHelpTopic(word))
        return call.answer({
          text: TOPICS[word],
          blocks: [...topicBlocks(word, commands(), topicLines), contextBlock(USAGE_NOTE)],
        });
      if (word === '') return call.answer(helpOverview(commands()));
      await call.answer(noSuchHelpMessage(word, commands()));
    },
  };
}

/** `/gig template`: overview, new, from, show, drafts; and its answers to wrong input. */

import { TemplateId } from '../../ids.ts';
import { findNearestName } from '../../query/words.ts';
import type { CommandCall, CommandRoute, Message } from '../core/routes.ts';
import { contextBlock, joinLines, joinWithOr, sectionBlock } from '../kit/block-builders.ts';
import { parseTemplateId } from '../kit/button-values.ts';
import { inputErrorMessage, splitFirstWord } from '../kit/command-text.ts';
import { SLASH_COMMAND } from '../kit/ids.ts';
import { codeText, safeLine } from '../kit/mrkdwn.ts';
import { formatCount } from '../kit/numbers.ts';
import {
  replyWithFullTemplate,
  startDraftFromTemplate,
  startTemplateDraft,
  templateDraftsMessage,
} from './template-drafts.ts';
import { DASHBOARD_ONLY_FEATURES_TEXT } from './template-fields.ts';

const TEMPLATE_SUBCOMMANDS = ['new', 'from', 'show', 'drafts'] as const;

interface NamedTemplate {
  readonly id: number;
  readonly name: string;
}

function templateOverviewMessage(draftCount: number): Message {
  const title = 'Build proposal templates in a form';
  return {
    text: title,
    blocks: [
      sectionBlock(
        joinLines(
          `*${title}*`,
          `${codeText(`${SLASH_COMMAND} template new`)} starts with an empty form`,
          `${codeText(`${SLASH_COMMAND} template from <id>`)} starts from an existing template ` +
            `(${codeText(`${SLASH_COMMAND} setups`)} lists IDs)`,
          `${codeText(`${SLASH_COMMAND} template show <id>`)} shows a template in full`,
          `${codeText(`${SLASH_COMMAND} template drafts`)} lists your ` +
            `drafts${draftCount === 0 ? '' : ` (you have ${formatCount(draftCount, 'draft')})`}`,
        ),
      ),
      sectionBlock(
        'Every step is saved as you go, so you can close the form at any time. ' +
          'Nothing is created until you press *Create Template* on the last step.',
      ),
      contextBlock(DASHBOARD_ONLY_FEATURES_TEXT),
    ],
  };
}

type TemplateWord = 'from' | 'show';

function exampleOf(word: string): string {
  return word === 'from' || word === 'show' ? `template ${word} 12` : `template ${word}`;
}

function noSuchSubcommandMessage(written: string): Message {
  const [first = ''] = written.split(/\s/u);
  const meant = findNearestName(first, TEMPLATE_SUBCOMMANDS);
  const guess = meant ? ` Did you mean ${codeText(`${SLASH_COMMAND} ${exampleOf(meant)}`)}?` : '';
  return inputErrorMessage(
    `There's no template called ${codeText(written, 60)}, ` +
      `and it isn't one of ${joinWithOr(TEMPLATE_SUBCOMMANDS)}.${guess} \`/gig setups\` lists templates.`,
    exampleOf(meant ?? 'new'),
  );
}

function unexpectedArgsMessage(word: 'new' | 'drafts', written: string): Message {
  const why = word === 'new' ? 'Enter the name in the form.' : 'It lists all your drafts.';
  return inputErrorMessage(
    `${codeText(written, 60)} isn't needed after ${codeText(`${SLASH_COMMAND} template ${word}`)}. ${why}`,
    `template ${word}`,
  );
}

function unknownNameMessage(written: string, near: readonly NamedTemplate[], word: TemplateWord): Message {
  const where = `Find IDs with ${codeText(`${SLASH_COMMAND} setups`)} or in the dashboard.`;
  return inputErrorMessage(
    written === ''
      ? `Which template? Enter its ID or name. ${where}`
      : "There's no template called " +
          `${codeText(written, 60)}.${near.length > 0 ? ` Closest matches: ${namesText(near)}.` : ''} ` +
          `${where}`,
    `template ${word} ${near[0]?.id ?? 12}`,
  );
}

function namesText(templates: readonly NamedTemplate[]): string {
  return templates
    .slice(0, 10)
    .map(({ id, name }) => `${safeLine(name, 60)} (${id})`)
    .join(', ');
}

async function readTemplate(
  call: CommandCall,
  words: string,
  word: TemplateWord,
): Promise<TemplateId | Message> {
  const typed = parseTemplateId(words);
  if (typed !== undefined) return typed;
  const named = await call.services.directory.findEntry('template', words);
  if (named.kind === 'several')
    return inputErrorMessage(
      `${codeText(words, 60)} matches ${formatCount(named.entries.length, 'template')}: ` +
        `${namesText(named.entries)}. Use the ID.`,
      `template ${word} ${named.entries[0]?.id ?? 12}`,
    );
  const id = named.kind === 'found' ? TemplateId.safeParse(named.id).data : undefined;
  return id ?? unknownNameMessage(words, named.kind === 'none' ? named.known : [], word);
}

async function withTemplate(
  call: CommandCall,
  word: TemplateWord,
  written: string,
  run: (call: CommandCall, id: TemplateId) => Promise<void>,
): Promise<void> {
  const words = written.replace(/^template\s+/iu, '');
  const found = await readTemplate(call, words, word);
  await (typeof found === 'number' ? run(call, found) : call.answer(found));
}

async function runTemplate(call: CommandCall): Promise<void> {
  const { word, rest } = splitFirstWord(call.args);
  const ownDrafts = () => call.services.templates.drafts.list(call.person.user);
  switch (word.toLowerCase()) {
    case '':
      return call.answer(templateOverviewMessage((await ownDrafts()).length));
    case 'new':
      return rest === '' ? startTemplateDraft(call) : call.answer(unexpectedArgsMessage('new', rest));
    case 'from':
      return withTemplate(call, 'from', rest, startDraftFromTemplate);
    case 'show':
      return withTemplate(call, 'show', rest, replyWithFullTemplate);
    case 'drafts':
      return call.answer(
        rest === '' ? templateDraftsMessage(await ownDrafts()) : unexpectedArgsMessage('drafts', rest),
      );
    default: {
      const id = parseTemplateId(call.args);
      await (id === undefined
        ? call.answer(noSuchSubcommandMessage(call.args))
        : replyWithFullTemplate(call, id));
    }
  }
}

export const templateCommand: CommandRoute = {
  word: 'template',
  topic: 'bidding',
  needs: 'bidder',
  usage: ['template [new | from <id | name> | drafts]', 'template [show] <id | name>'],
  summary: 'Create or view a template. A form has every field; start from scratch or from another one.',
  details:
    'The form covers every field of a template, step by step. ' +
    'Each step is saved as a draft that only you can see. ' +
    `Nothing is created until you press *Create Template* in the review. ${DASHBOARD_ONLY_FEATURES_TEXT}`,
  examples: ['template new', 'template from 12', 'template show 12', 'template drafts'],
  isSlow: true,
  run: runTemplate,
};

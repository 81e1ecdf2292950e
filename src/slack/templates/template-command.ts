import { TemplateId } from '../../ids.ts';
import type { CommandCall, CommandRoute, Message } from '../core/routes.ts';
import { parseTemplateId } from '../kit/button-values.ts';
import { splitFirstWord } from '../kit/words/parse-words.ts';
import {
  noSuchTemplateSubcommandMessage,
  severalTemplatesMessage,
  TEMPLATE_FROM_EXAMPLE,
  templateOverviewMessage,
  unexpectedTemplateArgsMessage,
  unknownTemplateNameMessage,
} from './template-command-answers.ts';
import { replyWithFullTemplate, startDraftFromTemplate, startTemplateDraft } from './template-drafts.ts';
import { DASHBOARD_ONLY_FEATURES_TEXT } from './template-labels.ts';
import { templateDraftsMessage } from './template-list.ts';

/** The template that words name: by its ID, or by a name from setups and proposals. */
async function readTemplate(call: CommandCall, words: string): Promise<TemplateId | Message> {
  const typed = parseTemplateId(words);
  if (typed !== undefined) return typed;
  const named = await call.services.directory.findEntry('template', words);
  if (named.kind === 'several') return severalTemplatesMessage(words, named.entries);
  const id = named.kind === 'found' ? TemplateId.safeParse(named.id).data : undefined;
  return id ?? unknownTemplateNameMessage(words, named.kind === 'none' ? named.known : []);
}

async function withTemplate(
  call: CommandCall,
  written: string,
  run: (call: CommandCall, id: TemplateId) => Promise<void>,
): Promise<void> {
  const words = written.replace(/^template\s+/iu, '');
  const found = await readTemplate(call, words);
  await (typeof found === 'number' ? run(call, found) : call.answer(found));
}

async function run(call: CommandCall): Promise<void> {
  const { word, rest } = splitFirstWord(call.args);
  const ownDrafts = () => call.services.templates.drafts.list(call.person.user);
  switch (word.toLowerCase()) {
    case '':
      return call.answer(templateOverviewMessage((await ownDrafts()).length));
    case 'new':
      return rest === '' ? startTemplateDraft(call) : call.answer(unexpectedTemplateArgsMessage('new', rest));
    case 'from':
      return withTemplate(call, rest, startDraftFromTemplate);
    case 'show':
      return withTemplate(call, rest, replyWithFullTemplate);
    case 'drafts':
      return call.answer(
        rest === ''
          ? templateDraftsMessage(await ownDrafts())
          : unexpectedTemplateArgsMessage('drafts', rest),
      );
    default: {
      const id = parseTemplateId(call.args);
      await (id === undefined
        ? call.answer(noSuchTemplateSubcommandMessage(call.args))
        : replyWithFullTemplate(call, id));
    }
  }
}

export const templateCommand: CommandRoute = {
  word: 'template',
  topic: 'bidding',
  needs: 'bidder',
  usage: ['template [new | from <id | name> | drafts]', 'template [show] <id | name>'],
  summary: 'Create a proposal template in a form, from scratch or from another one, or view a template.',
  details:
    'The form covers every field of a template, step by step. ' +
    'Each step is saved as a draft that only you can see. ' +
    `Nothing is created until you press *Create Template* in the review. ${DASHBOARD_ONLY_FEATURES_TEXT}`,
  examples: ['template new', TEMPLATE_FROM_EXAMPLE, 'template show 12', 'template drafts'],
  isSlow: true,
  run,
};

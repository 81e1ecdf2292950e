import { TemplateId } from '../../ids.ts';
import { beginFrom, beginTemplate, showTemplateInFull } from '../actions/template-drafts.ts';
import {
  FROM_EXAMPLE,
  noSuchTemplateWordMessage,
  noTemplateNamedMessage,
  nothingFollowsMessage,
  severalTemplatesMessage,
  templateOverviewMessage,
} from '../messages/template-command.ts';
import { templateDraftsMessage } from '../messages/template-list.ts';
import { ONLY_IN_THE_DASHBOARD } from '../messages/template-words.ts';
import { readTemplateId } from '../messages/values.ts';
import type { CommandCall, CommandRoute, Message } from '../routes.ts';
import { takeWord } from './words.ts';

/** The template that words name: by its id, or by a name learned from setups and proposals. */
async function readTemplate(call: CommandCall, words: string): Promise<TemplateId | Message> {
  const typed = readTemplateId(words);
  if (typed !== undefined) return typed;
  const named = await call.services.directory.find('template', words);
  if (named.kind === 'several') return severalTemplatesMessage(words, named.entries);
  const id = named.kind === 'found' ? TemplateId.safeParse(named.id).data : undefined;
  return id ?? noTemplateNamedMessage(words, named.kind === 'none' ? named.known : []);
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
  const { word, rest } = takeWord(call.args);
  const ownDrafts = () => call.services.templates.drafts.list(call.person.user);
  switch (word.toLowerCase()) {
    case '':
      return call.answer(templateOverviewMessage((await ownDrafts()).length));
    case 'new':
      return rest === '' ? beginTemplate(call) : call.answer(nothingFollowsMessage('new', rest));
    case 'from':
      return withTemplate(call, rest, beginFrom);
    case 'show':
      return withTemplate(call, rest, showTemplateInFull);
    case 'drafts':
      return call.answer(
        rest === '' ? templateDraftsMessage(await ownDrafts()) : nothingFollowsMessage('drafts', rest),
      );
    default: {
      const id = readTemplateId(call.args);
      await (id === undefined
        ? call.answer(noSuchTemplateWordMessage(call.args))
        : showTemplateInFull(call, id));
    }
  }
}

export const template: CommandRoute = {
  word: 'template',
  topic: 'bidding',
  needs: 'bidder',
  usage: ['template [new | from <id | name> | drafts]', 'template [show] <id | name>'],
  summary: 'Create a proposal template in a form, from scratch or from another one, or view a template.',
  details: `The form covers every field of a template, step by step. Each step is saved as a draft that only you can see. Nothing is created until you press *Create Template* in the review. ${ONLY_IN_THE_DASHBOARD}`,
  examples: ['template new', FROM_EXAMPLE, 'template show 12', 'template drafts'],
  mayWait: true,
  run,
};

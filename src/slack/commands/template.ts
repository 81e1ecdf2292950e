import { beginFrom, beginTemplate } from '../actions/template-drafts.ts';
import {
  FROM_EXAMPLE,
  noSuchTemplateWordMessage,
  noTemplateIdMessage,
  nothingFollowsMessage,
  templateOverviewMessage,
} from '../messages/template-command.ts';
import { templateDraftsMessage } from '../messages/template-list.ts';
import { ONLY_IN_THE_DASHBOARD } from '../messages/template-words.ts';
import { readTemplateId } from '../messages/values.ts';
import type { CommandCall, CommandRoute } from '../routes.ts';
import { takeWord } from './words.ts';

async function from(call: CommandCall, written: string): Promise<void> {
  const words = written.replace(/^template\s+/iu, '');
  const { word, rest } = takeWord(words);
  const id = readTemplateId(rest === '' ? word : words);
  await (id === undefined ? call.answer(noTemplateIdMessage(written)) : beginFrom(call, id));
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
      return from(call, rest);
    case 'drafts':
      return call.answer(
        rest === '' ? templateDraftsMessage(await ownDrafts()) : nothingFollowsMessage('drafts', rest),
      );
    default:
      return call.answer(noSuchTemplateWordMessage(call.args));
  }
}

export const template: CommandRoute = {
  word: 'template',
  topic: 'bidding',
  needs: 'bidder',
  usage: ['template [new | from <id> | drafts]'],
  summary: 'Builds a proposal template in a form: from nothing, from one that exists, or from a draft.',
  details: `The form has every field of a template, step by step, and keeps what you fill in at every step, for you alone. Nothing is created before you press *Create template* at its review. ${ONLY_IN_THE_DASHBOARD}`,
  examples: ['template new', FROM_EXAMPLE, 'template drafts'],
  run,
};

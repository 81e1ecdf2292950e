/** Answers of `/gig template` that are no form and no list. Pure. */
import type { TemplateId } from '../../ids.ts';
import { nearest } from '../../query/near.ts';
import { COMMAND } from '../blocks/ids.ts';
import { safeLine } from '../blocks/mrkdwn.ts';
import { count } from '../blocks/numbers.ts';
import type { Message } from '../routes.ts';
import { inputMistake } from './input-mistake.ts';
import { codeText } from './mistake.ts';
import { context, either, lines, section } from './parts.ts';
import { ONLY_IN_THE_DASHBOARD } from './template-words.ts';

export const TEMPLATE_WORDS = ['new', 'from', 'show', 'drafts'] as const;
export type TemplateWord = (typeof TEMPLATE_WORDS)[number];

interface NamedTemplate {
  readonly id: number;
  readonly name: string;
}

export const FROM_EXAMPLE = 'template from 12';

/** @param drafts how many the person has begun */
export function templateOverviewMessage(drafts: number): Message {
  const title = 'Proposal templates, built in a form';
  return {
    text: title,
    blocks: [
      section(
        lines(
          `*${title}*`,
          `${codeText(`${COMMAND} template new`)} begins with an empty form`,
          `${codeText(`${COMMAND} template from <id>`)} begins with what a template has; ${codeText(`${COMMAND} setups`)} shows ids`,
          `${codeText(`${COMMAND} template show <id>`)} shows a template in full`,
          `${codeText(`${COMMAND} template drafts`)} lists what you have begun${drafts === 0 ? '' : `: ${count(drafts, 'draft')}`}`,
        ),
      ),
      section(
        'Every step is kept as it is left: close the form whenever you like. Nothing is created before you press *Create template* at the review.',
      ),
      context(ONLY_IN_THE_DASHBOARD),
    ],
  };
}

function exampleOf(word: TemplateWord): string {
  return word === 'from' || word === 'show' ? `template ${word} 12` : `template ${word}`;
}

/** @param written is none of the words that follow `template`. */
export function noSuchTemplateWordMessage(written: string): Message {
  const [first = ''] = written.split(/\s/u);
  const near = nearest(first, TEMPLATE_WORDS);
  const meant = TEMPLATE_WORDS.find((word) => word === near);
  const guess = meant ? ` Did you mean ${codeText(`${COMMAND} ${exampleOf(meant)}`)}?` : '';
  return inputMistake(
    `${codeText(written, 60)} is nothing that I can do with templates: say ${either(TEMPLATE_WORDS)}.${guess}`,
    exampleOf(meant ?? 'new'),
  );
}

/** Words that follow where none are expected. */
export function nothingFollowsMessage(word: 'new' | 'drafts', written: string): Message {
  const why = word === 'new' ? 'the name is filled in in the form' : 'the list holds all of yours';
  return inputMistake(
    `${codeText(written, 60)} says nothing to ${codeText(`${COMMAND} template ${word}`)}: ${why}.`,
    `template ${word}`,
  );
}

/** @param written is no id and no known name; empty where nothing was written. @param near names that come near. */
export function noTemplateNamedMessage(written: string, near: readonly NamedTemplate[]): Message {
  const where = `${codeText(`${COMMAND} setups`)} and the dashboard show IDs`;
  return inputMistake(
    written === ''
      ? `Which template? Enter its ID or name; ${where}.`
      : `${codeText(written, 60)} is no template's ID, and no template by that name is known here${near.length > 0 ? ` (close: ${namesText(near)})` : ''}; ${where}.`,
    FROM_EXAMPLE,
  );
}

/** @param written fits the names of all of these. */
export function severalTemplatesMessage(written: string, templates: readonly NamedTemplate[]): Message {
  return inputMistake(
    `${codeText(written, 60)} fits ${count(templates.length, 'template')}: ${namesText(templates)}. Use the ID.`,
    `template from ${templates[0]?.id ?? 12}`,
  );
}

function namesText(templates: readonly NamedTemplate[]): string {
  return templates
    .slice(0, 10)
    .map(({ id, name }) => `${safeLine(name, 60)} (${id})`)
    .join(', ');
}

/** Reading single templates is documented by name only. Source: docs/marketplace-api.md, Endpoints. */
export function noSuchTemplateMessage(id: TemplateId): Message {
  return {
    text: lines(
      `The marketplace finds no template #${id}. Check the id: ${codeText(`${COMMAND} setups`)} and the dashboard show it.`,
      `If every id ends like this, the marketplace does not let templates be read; ${codeText(`${COMMAND} template new`)} begins with an empty form.`,
    ),
  };
}

/** The form could not be shown where it was waited for. */
export function keptDraftMessage(name: string): Message {
  return {
    text: `You closed the form before ${name} was read. It is kept as a draft: ${codeText(`${COMMAND} template drafts`)} lists it.`,
  };
}

/** A button that names no template. */
export const TEMPLATE_PRESS_OUTDATED: Message = {
  text: `This button is out of date, so nothing was begun. ${codeText(`${COMMAND} template from <id>`)} does the same.`,
};

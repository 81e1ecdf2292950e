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
  const title = 'Build proposal templates in a form';
  return {
    text: title,
    blocks: [
      section(
        lines(
          `*${title}*`,
          `${codeText(`${COMMAND} template new`)} starts with an empty form`,
          `${codeText(`${COMMAND} template from <id>`)} starts from an existing template (${codeText(`${COMMAND} setups`)} lists IDs)`,
          `${codeText(`${COMMAND} template show <id>`)} shows a template in full`,
          `${codeText(`${COMMAND} template drafts`)} lists your drafts${drafts === 0 ? '' : ` (you have ${count(drafts, 'draft')})`}`,
        ),
      ),
      section(
        'Every step is saved as you go, so you can close the form at any time. Nothing is created until you press *Create template* in the review.',
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
    `${codeText(written, 60)} isn't a template command. Use ${either(TEMPLATE_WORDS)}.${guess}`,
    exampleOf(meant ?? 'new'),
  );
}

/** Words that follow where none are expected. */
export function nothingFollowsMessage(word: 'new' | 'drafts', written: string): Message {
  const why = word === 'new' ? 'Enter the name in the form.' : 'It lists all your drafts.';
  return inputMistake(
    `${codeText(written, 60)} isn't needed after ${codeText(`${COMMAND} template ${word}`)}. ${why}`,
    `template ${word}`,
  );
}

/** @param written is no id and no known name; empty where nothing was written. @param near names that come near. */
export function noTemplateNamedMessage(written: string, near: readonly NamedTemplate[]): Message {
  const where = `Find IDs with ${codeText(`${COMMAND} setups`)} or in the dashboard.`;
  return inputMistake(
    written === ''
      ? `Which template? Enter its ID or name. ${where}`
      : `There's no template called ${codeText(written, 60)}.${near.length > 0 ? ` Closest matches: ${namesText(near)}.` : ''} ${where}`,
    FROM_EXAMPLE,
  );
}

/** @param written fits the names of all of these. */
export function severalTemplatesMessage(written: string, templates: readonly NamedTemplate[]): Message {
  return inputMistake(
    `${codeText(written, 60)} matches ${count(templates.length, 'template')}: ${namesText(templates)}. Use the ID.`,
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
      `Couldn't find template #${id} in the marketplace. Check the ID with ${codeText(`${COMMAND} setups`)} or in the dashboard.`,
      `If this happens with every ID, the marketplace doesn't let Gigdesk read templates. Start with an empty form: ${codeText(`${COMMAND} template new`)}.`,
    ),
  };
}

/** The form could not be shown where it was waited for. */
export function keptDraftMessage(name: string): Message {
  return {
    text: `You closed the form before ${name} loaded. It's saved as a draft. Find it with ${codeText(`${COMMAND} template drafts`)}.`,
  };
}

/** A button that names no template. */
export const TEMPLATE_PRESS_OUTDATED: Message = {
  text: `This button is out of date, so nothing was started. Use ${codeText(`${COMMAND} template from <id>`)} instead.`,
};

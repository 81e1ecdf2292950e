/** Answers of `/gig template`, except forms and lists. Pure. */
import type { TemplateId } from '../../ids.ts';
import { findNearestName } from '../../query/words.ts';
import type { Message } from '../core/routes.ts';
import { contextBlock, joinLines, joinWithOr, sectionBlock } from '../kit/block-builders.ts';
import { SLASH_COMMAND } from '../kit/ids.ts';
import { inputErrorMessage } from '../kit/input-error.ts';
import { safeLine } from '../kit/mrkdwn.ts';
import { formatCount } from '../kit/numbers.ts';
import { codeText } from '../kit/query-error.ts';
import { DASHBOARD_ONLY_FEATURES_TEXT } from './template-labels.ts';

export const TEMPLATE_SUBCOMMANDS = ['new', 'from', 'show', 'drafts'] as const;
export type TemplateSubcommand = (typeof TEMPLATE_SUBCOMMANDS)[number];

interface NamedTemplate {
  readonly id: number;
  readonly name: string;
}

export const TEMPLATE_FROM_EXAMPLE = 'template from 12';

/** @param drafts the number of the user's drafts */
export function templateOverviewMessage(drafts: number): Message {
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
            `drafts${drafts === 0 ? '' : ` (you have ${formatCount(drafts, 'draft')})`}`,
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

function exampleOf(word: TemplateSubcommand): string {
  return word === 'from' || word === 'show' ? `template ${word} 12` : `template ${word}`;
}

/** @param written none of the words allowed after `template`. */
export function noSuchTemplateSubcommandMessage(written: string): Message {
  const [first = ''] = written.split(/\s/u);
  const near = findNearestName(first, TEMPLATE_SUBCOMMANDS);
  const meant = TEMPLATE_SUBCOMMANDS.find((word) => word === near);
  const guess = meant ? ` Did you mean ${codeText(`${SLASH_COMMAND} ${exampleOf(meant)}`)}?` : '';
  return inputErrorMessage(
    `There's no template called ${codeText(written, 60)}, ` +
      `and it isn't one of ${joinWithOr(TEMPLATE_SUBCOMMANDS)}.${guess} \`/gig setups\` lists templates.`,
    exampleOf(meant ?? 'new'),
  );
}

/** Extra words where none are expected. */
export function unexpectedTemplateArgsMessage(word: 'new' | 'drafts', written: string): Message {
  const why = word === 'new' ? 'Enter the name in the form.' : 'It lists all your drafts.';
  return inputErrorMessage(
    `${codeText(written, 60)} isn't needed after ${codeText(`${SLASH_COMMAND} template ${word}`)}. ${why}`,
    `template ${word}`,
  );
}

/** @param written no ID and no known name; may be empty. @param near similar names. */
export function unknownTemplateNameMessage(written: string, near: readonly NamedTemplate[]): Message {
  const where = `Find IDs with ${codeText(`${SLASH_COMMAND} setups`)} or in the dashboard.`;
  return inputErrorMessage(
    written === ''
      ? `Which template? Enter its ID or name. ${where}`
      : "There's no template called " +
          `${codeText(written, 60)}.${near.length > 0 ? ` Closest matches: ${namesText(near)}.` : ''} ` +
          `${where}`,
    TEMPLATE_FROM_EXAMPLE,
  );
}

/** @param written matches the names of all of these. */
export function severalTemplatesMessage(written: string, templates: readonly NamedTemplate[]): Message {
  return inputErrorMessage(
    `${codeText(written, 60)} matches ${formatCount(templates.length, 'template')}: ` +
      `${namesText(templates)}. Use the ID.`,
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
    text: joinLines(
      `Couldn't find template #${id} in the marketplace. ` +
        `Check the ID with ${codeText(`${SLASH_COMMAND} setups`)} or in the marketplace's dashboard.`,
      "If this happens with every ID, the marketplace doesn't let Gigdesk read templates. " +
        `You can still create one: ${codeText(`${SLASH_COMMAND} template new`)}.`,
    ),
  };
}

/** The user closed the form before it loaded. */
export function templateSavedAsDraftMessage(name: string): Message {
  return {
    text:
      `You closed the form before ${name} loaded. It's saved as a draft. ` +
      `Find it with ${codeText(`${SLASH_COMMAND} template drafts`)}.`,
  };
}

/** For a button that names no template. */
export const TEMPLATE_PRESS_OUTDATED: Message = {
  text:
    'This button is out of date, so nothing was started. ' +
    `Use ${codeText(`${SLASH_COMMAND} template from <id>`)} instead.`,
};

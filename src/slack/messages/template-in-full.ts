/** A template of the marketplace, field by field, for the person who asks. Pure. */
import type { KnownBlock } from '@slack/types';
import type { ProposalTemplate } from '../../marketplace/schema.ts';
import { countCharacters } from '../../typed/texts.ts';
import { cleanText } from '../blocks/clean-text.ts';
import { actionIds } from '../blocks/ids.ts';
import { clip, date, safeLine } from '../blocks/mrkdwn.ts';
import { count, number } from '../blocks/numbers.ts';
import type { Message } from '../routes.ts';
import { actions, button, context, line, lines, plainSection, section, sections } from './parts.ts';
import { fixedPriceText, hourlyText } from './template-rates.ts';
import { VISIBILITY_LABELS } from './template-words.ts';

/** Of a long text, in UTF-16 units: a message holds some 13,000 characters in all. */
const EXCERPT = 1_200;
const MOST_ANSWERS = 10;
const MOST_NAMES = 8;

function visibilityText(visibility: string | undefined): string {
  const labels: Readonly<Record<string, string>> = VISIBILITY_LABELS;
  return labels[visibility ?? ''] ?? (safeLine(visibility ?? '', 40) || 'not shown');
}

function senderText({ sender }: ProposalTemplate): string {
  const { name, type, organization } = sender;
  const words = line(safeLine(name ?? '', 80), safeLine(type ?? '', 40), safeLine(organization ?? '', 80));
  return words || 'not shown';
}

function namesText(named: readonly { readonly name?: string | undefined; readonly id?: number }[]): string {
  const shown = named.slice(0, MOST_NAMES).map(({ name, id }) => {
    const words = safeLine(name ?? '', 60);
    return id === undefined ? words : `${words || 'unnamed'} (${id})`;
  });
  const more = named.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${number(more)} more` : ''}` || 'none';
}

/** A label with the text's beginning, or with `empty`. */
function longText(label: string, text: string | undefined, empty: string): KnownBlock[] {
  if (!text) return [section(`*${label}:* ${empty}`)];
  const whole = cleanText(text);
  const cut = whole.length > EXCERPT ? `, first ${number(EXCERPT)} shown` : '';
  return [
    section(`*${label}* (${count(countCharacters(text), 'character')}${cut})`),
    plainSection(clip(whole, EXCERPT) || '–'),
  ];
}

function letterBlocks({ coverLetters, abTesting }: ProposalTemplate): KnownBlock[] {
  if (!coverLetters) return [section('*Cover letters:* not shown, because the template structure is off')];
  const { variantA, variantB } = coverLetters;
  return [
    ...longText(`Cover letter A${abTesting ? ' (alternates with B)' : ''}`, variantA, 'empty'),
    ...(variantB ? longText('Cover letter B', variantB, 'empty') : []),
  ];
}

function answerBlocks({ answers }: ProposalTemplate): readonly KnownBlock[] {
  if (answers.length === 0) return [section('*Answers to screening questions:* none')];
  const rows = answers
    .slice(0, MOST_ANSWERS)
    .map(
      ({ question, answer, matchType }) =>
        `• ${safeLine(matchType, 20)} “${safeLine(question, 120)}” → “${safeLine(answer, 120)}”`,
    );
  const more = answers.length - rows.length;
  return sections([
    `*Answers to screening questions* (${number(answers.length)})`,
    ...rows,
    ...(more > 0 ? [`…and ${number(more)} more`] : []),
  ]);
}

function factsText(template: ProposalTemplate): string {
  const { hourlyRate, fixedPrice, ai, filters, setups, attachments, visibility } = template;
  const rules = hourlyRate.rulesCount ? count(hourlyRate.rulesCount, 'budget rule') : undefined;
  return lines(
    `Sender: ${senderText(template)}`,
    `Who can see and edit it: ${visibilityText(visibility)}`,
    `Hourly: ${line(hourlyText(hourlyRate), rules) || 'not shown'}`,
    `Fixed price: ${fixedPriceText(fixedPrice) || 'not shown'}`,
    `AI: ${line(
      safeLine(ai.model ?? '', 60) || 'default model',
      ai.templateStructure === undefined
        ? undefined
        : `${ai.templateStructure ? 'follows' : "doesn't follow"} the template's structure`,
    )}`,
    `Filters: ${namesText(filters)}`,
    `Auto bidding setups: ${namesText(setups)}`,
    attachments.length > 0
      ? `Attachments: ${namesText(attachments.map(({ name, uid }) => ({ name: name ?? uid })))}`
      : undefined,
  );
}

/** Ephemeral. Long texts are cut: the dashboard has them whole. */
export function templateInFull(template: ProposalTemplate): Message {
  const { id, name, ai, createdAt, updatedAt } = template;
  const title = `${safeLine(name ?? '', 150) || 'Untitled template'} (#${id})`;
  const times = line(
    createdAt === undefined ? undefined : `Created ${date(createdAt)}`,
    updatedAt === undefined ? undefined : `updated ${date(updatedAt)}`,
  );
  return {
    text: title,
    blocks: [
      section(`*${title}*`),
      section(factsText(template)),
      ...longText('Instructions for the AI', ai.instructions, 'not shown'),
      ...longText('Prompt for client questions', ai.clientQuestions, 'off'),
      ...longText('Additional context', ai.additionalContext, 'off'),
      ...letterBlocks(template),
      ...answerBlocks(template),
      ...(times ? [context(times)] : []),
      actions([
        button({
          id: actionIds.templateFrom,
          label: 'Start From This',
          value: `${id}`,
          spoken: `Start a new template from ${name ?? id}`,
        }),
      ]),
    ],
  };
}

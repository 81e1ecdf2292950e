/**
 * A marketplace template in words: its rates in one line each, all of it for the user who requested it, and
 * what a copy of it leaves out. Pure.
 */
import type { KnownBlock } from '@slack/types';
import type { ProposalTemplate } from '../../marketplace/schema.ts';
import { TEMPLATE_FIELDS, templateFieldText, VISIBILITY_LABELS } from '../../templates/fields.ts';
import { EMPTY_TEMPLATE_FORM } from '../../templates/form.ts';
import type { NotCarriedOverNote } from '../../templates/prefill-form.ts';
import type { CreatedTemplate, TemplateOrigin } from '../../templates/templates.ts';
import { countCharacters } from '../../typed/texts.ts';
import type { Message } from '../core/routes.ts';
import {
  actionsBlock,
  buttonElement,
  contextBlock,
  joinFacts,
  joinLines,
  plainTextSection,
  sectionBlock,
  sectionBlocks,
} from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { cleanText, clipText, codeText, formatDate, safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatMoney, formatNumber, joinWithMore } from '../kit/numbers.ts';

function rangeText(min: number | undefined, max: number | undefined): string | undefined {
  if (min !== undefined && max !== undefined) return `${formatMoney(min)} to ${formatMoney(max)}`;
  if (min !== undefined) return `from ${formatMoney(min)}`;
  return max === undefined ? undefined : `up to ${formatMoney(max)}`;
}

/** “fixed” alone reads like a fixed price. The API may name other modes. */
const RATE_MODES: ReadonlyMap<string, string> = new Map([
  ['fixed', 'the same for every project'],
  ['smart', 'smart rate'],
]);

/** `$40 an hour · smart rate · $30 to $60 · 80% of the client's budget · 5% more every 6 months`. mrkdwn. */
export function hourlyRateText(hourly: CreatedTemplate['hourlyRate']): string {
  const { mode, rate, smartRateMin, smartRateMax, smartRatePercent } = hourly;
  const { increasePercent, increaseFrequency } = hourly;
  const often = safeLine((increaseFrequency ?? 'never').replaceAll('-', ' '), 40);
  return joinFacts(
    rate === undefined ? undefined : `${formatMoney(rate)} an hour`,
    mode === undefined ? undefined : (RATE_MODES.get(mode) ?? safeLine(mode, 40)),
    rangeText(smartRateMin, smartRateMax),
    smartRatePercent === undefined ? undefined : `${smartRatePercent}% of the client's budget`,
    increaseFrequency === undefined || increaseFrequency === 'never'
      ? undefined
      : `${increasePercent === undefined ? 'more' : `${increasePercent}% more`} ${often}`,
  );
}

/** `95% of the client's budget · at least $100`, or `by the project's terms`. mrkdwn. */
export function fixedPriceText(fixed: CreatedTemplate['fixedPrice']): string {
  const { type, price, minPrice, clientBudgetPercent } = fixed;
  const share = clientBudgetPercent === undefined ? '' : `${clientBudgetPercent}% of the client's budget`;
  return joinFacts(
    // The share says it better.
    type === 'by-job-terms' && share ? undefined : typeText(type),
    price === undefined ? undefined : formatMoney(price),
    share,
    minPrice === undefined ? undefined : `at least ${formatMoney(minPrice)}`,
  );
}

function typeText(type: string | undefined): string | undefined {
  if (type === 'by-job-terms') return "by the project's terms";
  if (type === 'by-project') return 'the same on every project';
  return type === undefined ? undefined : safeLine(type, 40);
}

/** For a long text, in UTF-16 units: a message holds about 13,000 characters in all. */
const EXCERPT = 1_200;
const MOST_ANSWERS = 10;
const MOST_NAMES = 8;

/** @param visibility in the marketplace's word; mrkdwn */
export function visibilityText(visibility: string): string {
  const labels = new Map<string, string>(Object.entries(VISIBILITY_LABELS));
  return labels.get(visibility) ?? safeLine(visibility, 40);
}

function namesText(named: readonly { readonly name?: string | undefined; readonly id?: number }[]): string {
  const shown = named.slice(0, MOST_NAMES).map(({ name, id }) => {
    const words = safeLine(name ?? '', 60);
    return id === undefined ? words : `${words || 'unnamed'} (${id})`;
  });
  const more = named.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${formatNumber(more)} more` : ''}` || 'none';
}

function longText(label: string, text: string | undefined, empty: string): KnownBlock[] {
  if (!text) return [sectionBlock(`*${label}:* ${empty}`)];
  const whole = cleanText(text);
  const cut = whole.length > EXCERPT ? `, first ${formatNumber(EXCERPT)} shown` : '';
  return [
    sectionBlock(`*${label}* (${formatCount(countCharacters(text), 'character')}${cut})`),
    plainTextSection(clipText(whole, EXCERPT) || '–'),
  ];
}

function letterBlocks({ coverLetters, abTesting }: ProposalTemplate): KnownBlock[] {
  if (!coverLetters)
    return [sectionBlock('*Cover letters:* not shown, because the template structure is off')];
  const { variantA, variantB } = coverLetters;
  return [
    ...longText(`Cover letter A${abTesting ? ' (alternates with B)' : ''}`, variantA, 'empty'),
    ...(variantB ? longText('Cover letter B', variantB, 'empty') : []),
  ];
}

function answerBlocks({ answers }: ProposalTemplate): readonly KnownBlock[] {
  if (answers.length === 0) return [sectionBlock('*Answers to screening questions:* none')];
  const rows = answers
    .slice(0, MOST_ANSWERS)
    .map(
      ({ question, answer, matchType }) =>
        `• ${safeLine(matchType, 20)} “${safeLine(question, 120)}” → “${safeLine(answer, 120)}”`,
    );
  const more = answers.length - rows.length;
  return sectionBlocks([
    `*Answers to screening questions* (${formatNumber(answers.length)})`,
    ...rows,
    ...(more > 0 ? [`…and ${formatNumber(more)} more`] : []),
  ]);
}

function factsText(template: ProposalTemplate): string {
  const { hourlyRate, fixedPrice, ai, filters, setups, attachments, visibility } = template;
  const { name = '', type = '', organization = '' } = template.sender;
  const sender = joinFacts(safeLine(name, 80), safeLine(type, 40), safeLine(organization, 80));
  const rules = hourlyRate.rulesCount ? formatCount(hourlyRate.rulesCount, 'budget rule') : undefined;
  return joinLines(
    `Sender: ${sender || 'not shown'}`,
    `Who can see and edit it: ${visibilityText(visibility ?? '') || 'not shown'}`,
    `Hourly: ${joinFacts(hourlyRateText(hourlyRate), rules) || 'not shown'}`,
    `Fixed price: ${fixedPriceText(fixedPrice) || 'not shown'}`,
    `AI: ${joinFacts(
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

/** Ephemeral. Long texts are clipped: the dashboard has them in full. */
export function templateDetailsMessage(template: ProposalTemplate): Message {
  const { id, name, ai, createdAt, updatedAt } = template;
  const title = `${safeLine(name ?? '', 150) || 'Untitled template'} (#${id})`;
  const times = joinFacts(
    createdAt === undefined ? undefined : `Created ${formatDate(createdAt)}`,
    updatedAt === undefined ? undefined : `updated ${formatDate(updatedAt)}`,
  );
  return {
    text: title,
    blocks: [
      sectionBlock(`*${title}*`),
      sectionBlock(factsText(template)),
      ...longText('Instructions for the AI', ai.instructions, 'not shown'),
      ...longText('Prompt for client questions', ai.clientQuestions, 'off'),
      ...longText('Additional context', ai.additionalContext, 'off'),
      ...letterBlocks(template),
      ...answerBlocks(template),
      ...(times ? [contextBlock(times)] : []),
      actionsBlock([
        buttonElement({
          id: actionIds.templateFrom,
          label: 'Start From This',
          value: `${id}`,
          accessibilityLabel: `Start a new template from ${name ?? id}`,
        }),
      ]),
    ],
  };
}

const WORD = 60;
const MOST_FILES = 5;

type NoteOf<K extends NotCarriedOverNote['kind']> = Extract<NotCarriedOverNote, { kind: K }>;

function senderNote({ name, type, organization }: NoteOf<'sender'>): string {
  const who = safeLine(name ?? '', WORD);
  const kind = [type, organization].map((word) => safeLine(word ?? '', WORD)).filter((word) => word !== '');
  const was = who + (kind.length > 0 ? ` (${kind.join(' ')})` : '');
  return was.trim() === ''
    ? "Choose a sender: the marketplace doesn't show the original one."
    : `Choose the sender again: the marketplace only shows the name, ${was.trim()}.`;
}

function choiceNote({ field, was }: NoteOf<'choice'>): string {
  const row = TEMPLATE_FIELDS[field];
  const choices: Readonly<Record<string, string>> = row.choices;
  const standIn = choices[templateFieldText(EMPTY_TEMPLATE_FORM, field)];
  const next =
    field === 'hourly.mode'
      ? 'Choose fixed or smart.'
      : `The new template uses “${standIn}” unless you change it.`;
  if (was === undefined) return `The marketplace doesn't show who can see it. ${next}`;
  const word = codeText(was, WORD);
  return field === 'visibility'
    ? `Its visibility was ${word}, which can't be set here. ${next}`
    : `${row.label} used ${word}, which Gigdesk doesn't support. ${next}`;
}

function placesText(places: readonly number[]): string {
  const shown = places.slice(0, 10).map((place) => formatNumber(place + 1));
  const more = places.length - shown.length;
  return (
    `${places.length === 1 ? 'answer' : 'answers'} ` +
    `${shown.join(', ')}${more > 0 ? ` and ${formatNumber(more)} more` : ''}`
  );
}

function attachmentsNote({ names }: NoteOf<'attachments'>): string {
  const list = joinWithMore(names, MOST_FILES, (name) => safeLine(name, WORD) || 'unnamed file');
  return (
    'Its ' +
    `${names.length === 1 ? "attachment wasn't" : `${formatNumber(names.length)} attachments weren't`} ` +
    `copied (${list}). Files can only be attached in the dashboard.`
  );
}

function assignmentsNote({ filters, setups }: NoteOf<'assignments'>): string {
  const users = [
    ...(filters > 0 ? [formatCount(filters, 'filter')] : []),
    ...(setups > 0 ? [formatCount(setups, 'auto bidding setup')] : []),
  ].join(' and ');
  const one = filters + setups === 1;
  return `${users} ${one ? 'keeps' : 'keep'} using the old template. Assign the new one in the dashboard.`;
}

/** A sentence. mrkdwn. */
export function templateCopyNoteText(note: NotCarriedOverNote): string {
  switch (note.kind) {
    case 'sender':
      return senderNote(note);
    case 'flexible-rate':
      return (
        `It has flexible rates${note.rules > 0 ? ` (${formatCount(note.rules, 'budget rule')})` : ''}, ` +
        'which can only be set in the dashboard. Choose fixed or smart.'
      );
    case 'choice':
      return choiceNote(note);
    case 'match-types':
      return (
        `Choose again how ${placesText(note.places)} ${note.places.length === 1 ? 'is' : 'are'} ` +
        "matched to client questions: Gigdesk doesn't support the original setting."
      );
    case 'answers':
      return (
        `${formatCount(note.dropped, 'answer')} beyond the limit of 50 ` +
        `${note.dropped === 1 ? 'was' : 'were'} left out.`
      );
    case 'attachments':
      return attachmentsNote(note);
    case 'letters':
      return "Its template structure is off, so the marketplace doesn't show its cover letters.";
    case 'assignments':
      return assignmentsNote(note);
  }
}

/** `template “Calm” (#12)`. mrkdwn. */
export function sourceTemplateText({ template, name }: Pick<TemplateOrigin, 'template' | 'name'>): string {
  const words = safeLine(name ?? '', 80);
  return words ? `template “${words}” (#${template})` : `template #${template}`;
}

/** A draft's source, and everything that was not copied. mrkdwn, at most about 2,500 characters. */
export function templateCopyNotesText(from: TemplateOrigin): string {
  return [
    `Started from ${sourceTemplateText(from)}.`,
    ...from.notes.map((note) => `• ${templateCopyNoteText(note)}`),
  ].join('\n');
}

/**
 * A marketplace template in words: its rates in one line each, and all of it for the user who requested it.
 * Pure.
 */
import type { KnownBlock } from '@slack/types';
import type { ProposalTemplate } from '../../marketplace/schema.ts';
import type { CreatedTemplate } from '../../templates/records.ts';
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
import { cleanText, clipText, formatDate, safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatMoney, formatNumber } from '../kit/numbers.ts';
import { VISIBILITY_LABELS } from './template-labels.ts';

/** `2.5%`, from a percentage, not from a ratio. */
export function formatWholePercent(percent: number): string {
  return `${percent}%`;
}

function rangeText(min: number | undefined, max: number | undefined): string | undefined {
  if (min !== undefined && max !== undefined) return `${formatMoney(min)} to ${formatMoney(max)}`;
  if (min !== undefined) return `from ${formatMoney(min)}`;
  return max === undefined ? undefined : `up to ${formatMoney(max)}`;
}

/** `$40 an hour · smart · $30 to $60 · 80% of the client's budget · 5% more every 6 months`. mrkdwn. */
export function hourlyRateText(hourly: CreatedTemplate['hourlyRate']): string {
  const { mode, rate, smartRateMin, smartRateMax, smartRatePercent } = hourly;
  const { increasePercent, increaseFrequency } = hourly;
  const often = safeLine((increaseFrequency ?? 'never').replaceAll('-', ' '), 40);
  return joinFacts(
    rate === undefined ? undefined : `${formatMoney(rate)} an hour`,
    mode === undefined ? undefined : safeLine(mode, 40),
    rangeText(smartRateMin, smartRateMax),
    smartRatePercent === undefined
      ? undefined
      : `${formatWholePercent(smartRatePercent)} of the client's budget`,
    increaseFrequency === undefined || increaseFrequency === 'never'
      ? undefined
      : `${increasePercent === undefined ? 'more' : `${formatWholePercent(increasePercent)} more`} ${often}`,
  );
}

/** `by the job's terms · at least $100 · 95% of the client's budget`. mrkdwn. */
export function fixedPriceText(fixed: CreatedTemplate['fixedPrice']): string {
  const { type, price, minPrice, clientBudgetPercent } = fixed;
  return joinFacts(
    typeText(type),
    price === undefined ? undefined : formatMoney(price),
    minPrice === undefined ? undefined : `at least ${formatMoney(minPrice)}`,
    clientBudgetPercent === undefined
      ? undefined
      : `${formatWholePercent(clientBudgetPercent)} of the client's budget`,
  );
}

function typeText(type: string | undefined): string | undefined {
  if (type === 'by-job-terms') return "by the job's terms";
  if (type === 'by-project') return 'the same on every job';
  return type === undefined ? undefined : safeLine(type, 40);
}

/** For a long text, in UTF-16 units: a message holds about 13,000 characters in all. */
const EXCERPT = 1_200;
const MOST_ANSWERS = 10;
const MOST_NAMES = 8;

function visibilityText(visibility: string | undefined): string {
  const labels: Readonly<Record<string, string>> = VISIBILITY_LABELS;
  return labels[visibility ?? ''] ?? (safeLine(visibility ?? '', 40) || 'not shown');
}

function senderText({ sender }: ProposalTemplate): string {
  const { name, type, organization } = sender;
  const words = joinFacts(
    safeLine(name ?? '', 80),
    safeLine(type ?? '', 40),
    safeLine(organization ?? '', 80),
  );
  return words || 'not shown';
}

function namesText(named: readonly { readonly name?: string | undefined; readonly id?: number }[]): string {
  const shown = named.slice(0, MOST_NAMES).map(({ name, id }) => {
    const words = safeLine(name ?? '', 60);
    return id === undefined ? words : `${words || 'unnamed'} (${id})`;
  });
  const more = named.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${formatNumber(more)} more` : ''}` || 'none';
}

/** A label with the start of the text, or with `empty`. */
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
  const rules = hourlyRate.rulesCount ? formatCount(hourlyRate.rulesCount, 'budget rule') : undefined;
  return joinLines(
    `Sender: ${senderText(template)}`,
    `Who can see and edit it: ${visibilityText(visibility)}`,
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

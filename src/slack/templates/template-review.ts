/** What a filled-in template will send, field by field, for review before it is created. Pure. */
import type { KnownBlock } from '@slack/types';
import type { ProposalSender } from '../../marketplace/client.ts';
import { findSenderByOrganizationId, senderWarning } from '../../templates/choose-sender.ts';
import {
  isFieldApplicable,
  MAX_SCREENING_ANSWERS,
  type ScreeningAnswer,
  type TemplateField,
  type TemplateForm,
} from '../../templates/form.ts';
import type { TemplateOrigin } from '../../templates/records.ts';
import { parseMoney, parsePercent } from '../../typed/numbers.ts';
import { countCharacters } from '../../typed/texts.ts';
import { contextBlock, joinLines, plainTextSection, sectionBlock } from '../kit/block-builders.ts';
import { cleanText } from '../kit/clean-text.ts';
import { clipText, safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatMoney, formatNumber } from '../kit/numbers.ts';
import {
  FIELD_LABELS,
  HOURLY_MODE_LABELS,
  INCREASE_FREQUENCY_LABELS,
  PRICE_TYPE_LABELS,
  SENDER_NOT_ELIGIBLE_WARNING,
  SENDER_TYPE_LABELS,
  STEP_TITLES,
  SWITCH_LABELS,
  VISIBILITY_LABELS,
} from './template-labels.ts';
import { formatWholePercent } from './template-rates.ts';

export interface ReviewFacts {
  /** The template it started from. */
  readonly from?: TemplateOrigin | undefined;
  /** The marketplace's list, to show names for IDs. */
  readonly senders?: readonly ProposalSender[] | undefined;
}

const NOT_SENT = '_not set_';
const MISSING = ':warning: _missing_';
/** For a long text, in UTF-16 units. */
const EXCERPT = 500;

function fact(field: TemplateField, words: string): string {
  return `${FIELD_LABELS[field]}: ${words}`;
}

/** Fields that don't apply are neither sent nor shown. */
function asked(form: TemplateForm, field: TemplateField, words: () => string): string | undefined {
  return isFieldApplicable(form, field) ? fact(field, words()) : undefined;
}

/** The value as it is sent; an invalid number shows as typed. */
function asTyped(typed: string, value: string | undefined, missing = NOT_SENT): string {
  if (value !== undefined) return value;
  const words = safeLine(typed, 40);
  return words ? `:warning: “${words}”` : missing;
}

function dollars(typed: string, missing?: string): string {
  const value = parseMoney(typed);
  return asTyped(typed, value === undefined ? undefined : formatMoney(value), missing);
}

function percent(typed: string): string {
  const value = parsePercent(typed);
  return asTyped(typed, value === undefined ? undefined : formatWholePercent(value));
}

function senderLines(form: TemplateForm, { senders = [] }: ReviewFacts): string[] {
  const { organizationId, contractorUid, type } = form.sender;
  const found = findSenderByOrganizationId(senders, organizationId);
  const contractor = found?.contractors.find(({ uid }) => uid === contractorUid.trim());
  const organization = safeLine(organizationId, 40);
  const uid = safeLine(contractorUid, 60);
  const named = (id: string, name: string | undefined, what = ''): string => {
    const words = safeLine(name ?? '', 80);
    return words ? `${words} (${id})` : `${what}${id}`;
  };
  const sender = `${named(organization, found?.name, 'organization ')}, ${SENDER_TYPE_LABELS[type]}`;
  return [
    `Sender: ${organization ? sender : MISSING}`,
    ...(isFieldApplicable(form, 'sender.contractorUid')
      ? [`Contractor: ${uid ? named(uid, contractor?.name) : NOT_SENT}`]
      : []),
  ];
}

function whoText(form: TemplateForm, facts: ReviewFacts): string {
  return joinLines(
    `*${STEP_TITLES.sender}*`,
    fact('name', safeLine(form.name, 300) || MISSING),
    fact('visibility', VISIBILITY_LABELS[form.visibility]),
    ...senderLines(form, facts),
  );
}

function ratesText(form: TemplateForm): string {
  const { hourly, fixedPrice } = form;
  return joinLines(
    `*${STEP_TITLES.rates}*`,
    fact('hourly.mode', hourly.mode === '' ? MISSING : HOURLY_MODE_LABELS[hourly.mode]),
    fact('hourly.rate', dollars(hourly.rate, MISSING)),
    asked(form, 'hourly.smartMin', () => dollars(hourly.smartMin)),
    asked(form, 'hourly.smartMax', () => dollars(hourly.smartMax)),
    asked(form, 'hourly.smartPercent', () => percent(hourly.smartPercent)),
    fact('hourly.increaseFrequency', INCREASE_FREQUENCY_LABELS[hourly.increaseFrequency]),
    asked(form, 'hourly.increasePercent', () => percent(hourly.increasePercent)),
    fact('fixedPrice.type', PRICE_TYPE_LABELS[fixedPrice.type]),
    asked(form, 'fixedPrice.price', () => dollars(fixedPrice.price)),
    asked(form, 'fixedPrice.minPrice', () => dollars(fixedPrice.minPrice)),
    asked(form, 'fixedPrice.clientBudgetPercent', () => percent(fixedPrice.clientBudgetPercent)),
  );
}

function switchText(isOn: boolean): string {
  return isOn ? SWITCH_LABELS.on : SWITCH_LABELS.off;
}

/** Its length, as the marketplace counts it, and its start. @param empty what an empty one means */
function longText(field: TemplateField, text: string, empty: string): KnownBlock[] {
  if (text === '') return [sectionBlock(`*${FIELD_LABELS[field]}:* ${empty}`)];
  const all = countCharacters(text);
  const whole = cleanText(text);
  const notice =
    whole.length > EXCERPT ? ` [${formatNumber(EXCERPT)} of ${formatNumber(all)} characters shown]` : '';
  return [
    sectionBlock(`*${FIELD_LABELS[field]}:* ${formatCount(all, 'character')}`),
    plainTextSection(`${clipText(whole, EXCERPT) || '–'}${notice}`),
  ];
}

function aiBlocks({ ai }: TemplateForm): KnownBlock[] {
  const model = safeLine(ai.model, 80);
  return [
    sectionBlock(
      joinLines(
        `*${STEP_TITLES.ai}*`,
        fact('ai.model', model || 'Default model'),
        fact('ai.templateStructure', switchText(ai.templateStructure)),
      ),
    ),
    ...longText('ai.instructions', ai.instructions, MISSING),
    ...longText('ai.clientQuestions', ai.clientQuestions, 'off'),
    ...longText('ai.additionalContext', ai.additionalContext, 'off'),
  ];
}

function letterBlocks(form: TemplateForm): KnownBlock[] {
  if (!isFieldApplicable(form, 'letters.variantA'))
    return [
      sectionBlock(
        joinLines(
          `*${STEP_TITLES.letters}*`,
          'Not sent: the AI ignores cover letters when the template structure is off.',
        ),
      ),
    ];
  const { variantA, variantB } = form.letters;
  const empty = variantA === '' && variantB === '' ? NOT_SENT : '_empty_';
  return [
    sectionBlock(joinLines(`*${STEP_TITLES.letters}*`, fact('abTesting', switchText(form.abTesting)))),
    ...longText('letters.variantA', variantA, empty),
    ...longText('letters.variantB', variantB, empty),
  ];
}

const MATCH_WORDS: Readonly<Record<ScreeningAnswer['matchType'], string>> = {
  '': ':warning: _no match type_',
  contains: 'contains',
  startsWith: 'starts with',
  exact: 'is exactly',
};

/** This many fit in a section of 3,000 characters. */
const ANSWERS_IN_A_SECTION = 8;

function answerText({ question, answer, matchType }: ScreeningAnswer, place: number): string {
  const asks = safeLine(question, 110);
  const says = safeLine(answer, 110);
  const length = countCharacters(answer);
  return (
    `${formatNumber(place + 1)}. ` +
    `${MATCH_WORDS[matchType]} ${asks ? `“${asks}”` : MISSING} → ` +
    `${says ? `“${says}” (${formatCount(length, 'character')})` : MISSING}`
  );
}

function answerBlocks({ answers }: TemplateForm): KnownBlock[] {
  if (answers.length === 0) return [sectionBlock(joinLines(`*${STEP_TITLES.answers}*`, 'None.'))];
  const each = answers.slice(0, MAX_SCREENING_ANSWERS).map(answerText);
  const more = answers.length - each.length;
  const blocks: KnownBlock[] = [];
  for (let from = 0; from < each.length; from += ANSWERS_IN_A_SECTION)
    blocks.push(sectionBlock(each.slice(from, from + ANSWERS_IN_A_SECTION).join('\n')));
  return [
    sectionBlock(`*${STEP_TITLES.answers}:* ${formatNumber(answers.length)}`),
    ...blocks,
    ...(more > 0 ? [sectionBlock(`…and ${formatNumber(more)} more.`)] : []),
  ];
}

/** At most 25 blocks, whatever was filled in; long texts show only their start and length. */
export function templateReviewBlocks(form: TemplateForm, facts: ReviewFacts = {}): KnownBlock[] {
  const warning = senderWarning(facts.from?.senderType, form.sender.type);
  return [
    sectionBlock(whoText(form, facts)),
    ...(warning ? [contextBlock(`:warning: ${SENDER_NOT_ELIGIBLE_WARNING}`)] : []),
    sectionBlock(ratesText(form)),
    ...aiBlocks(form),
    ...letterBlocks(form),
    ...answerBlocks(form),
  ];
}

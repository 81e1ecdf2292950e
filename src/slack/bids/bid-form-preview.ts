/**
 * What the chosen setup sends where the person enters nothing: its template's rates and letter, as far as the
 * API shows them. Pure.
 */
import type { KnownBlock } from '@slack/types';
import type { BiddingSetup, ListedProject, ProposalTemplate } from '../../marketplace/schema.ts';
import { countCharacters } from '../../typed/texts.ts';
import { contextBlock, joinFacts, joinLines, plainTextSection, sectionBlock } from '../kit/block-builders.ts';
import { clipToJsonBytes, splitIntoParts } from '../kit/long-text.ts';
import { clipText, revealText, safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import { fixedPriceText, hourlyRateText } from '../templates/templates.ts';
import { type BidFormFacts, chosenSetup, type SetupTemplate } from './bid-form-facts.ts';

/** Of all letters and instructions together: UTF-16 units, and bytes of the view. */
const LONGEST_PREVIEW = { units: 2_800, bytes: 4_500 } as const;

/** The rate for the project's kind of budget; both while the kind is unknown. mrkdwn. */
function rateText({ hourlyRate, fixedPrice }: ProposalTemplate, budget: ListedProject['budget']): string {
  const type = budget?.type ?? '';
  const isHourly = /hour/iu.test(type);
  const isFixed = /fix/iu.test(type);
  const rules = hourlyRate.rulesCount ? formatCount(hourlyRate.rulesCount, 'budget rule') : undefined;
  const hourly = joinFacts(hourlyRateText(hourlyRate), rules) || 'not shown';
  return joinLines(
    isFixed && !isHourly ? undefined : `Hourly rate: ${hourly}`,
    isHourly && !isFixed ? undefined : `Fixed price: ${fixedPriceText(fixedPrice) || 'not shown'}`,
  );
}

interface PreviewText {
  /** Says what the text is; mrkdwn, without a period. */
  readonly label: string;
  readonly text: string;
  readonly note?: string | undefined;
}

const FOLLOWS = 'The AI follows its structure, so the sent letter may differ.';

function listTexts({ coverLetters, ai, abTesting }: ProposalTemplate): readonly PreviewText[] {
  const { variantA = '', variantB = '' } = coverLetters ?? {};
  const both = variantA.trim() !== '' && variantB.trim() !== '';
  const turns = both && abTesting ? ', alternates with letter B' : '';
  const letters = [
    {
      label: `*Letter${both ? ` A*${turns}` : '*'}`,
      text: variantA,
      note: ai.templateStructure ? FOLLOWS : undefined,
    },
    { label: `*Letter${both ? ` B*${turns}` : '*'}`, text: variantB },
  ].filter(({ text }) => text.trim() !== '');
  if (letters.length > 0) return letters;
  const missing = coverLetters
    ? 'The template has no letter'
    : "The marketplace doesn't show this template's letter";
  return ai.instructions?.trim()
    ? [{ label: `${missing}. The AI writes it from these *instructions*`, text: ai.instructions }]
    : [{ label: missing, text: '' }];
}

function textBlocks({ label, text, note }: PreviewText, clip: (whole: string) => string): KnownBlock[] {
  const whole = revealText(text).trim();
  if (whole === '') return [sectionBlock(`${label}.`)];
  const shown = clip(whole);
  const total = formatCount(countCharacters(text), 'character');
  const size = shown === whole ? total : `the first ${formatNumber(countCharacters(shown))} of ${total}`;
  const head = sectionBlock(`${label} (${size})${note ? `. ${note}` : ''}`);
  return [head, ...splitIntoParts(shown).map(plainTextSection)];
}

/** A setup's template, as far as it is known. */
export interface TemplatePreview {
  readonly named: NonNullable<BiddingSetup['template']>;
  /** Missing while it is being read. */
  readonly state?: SetupTemplate | undefined;
}

/** What is sent where the person enters nothing. Nothing for a setup without a template. */
export function templatePreviewBlocks(facts: BidFormFacts): KnownBlock[] {
  const named = chosenSetup(facts)?.template;
  if (!named) return [];
  return templateBlocks({ named, state: facts.template }, facts.budget, 'Fields that you leave empty');
}

/**
 * @param what comes from the template
 * @param own what a bid has of its own, and so not from the template. Missing: nothing, and the template's
 * texts are clipped to leave room for those that a person types
 */
export function templateBlocks(
  { named, state }: TemplatePreview,
  budget: ListedProject['budget'],
  what: string,
  own?: { readonly amount: boolean; readonly letter: boolean; readonly answers: boolean },
): KnownBlock[] {
  const name = `template “${safeLine(named.name ?? '', 80) || `#${named.id}`}”`;
  if (!state) return [contextBlock(`:hourglass_flowing_sand: Loading what ${name} sends…`)];
  if (state.kind === 'not-found') return [];
  if (state.kind === 'unreadable')
    return [contextBlock(`Couldn't read ${name} just now, so its letter and rates aren't shown.`)];
  const { template } = state;
  const texts = own?.letter ? [] : listTexts(template);
  const answers = own?.answers ? 0 : template.answers.length;
  const units = Math.floor(LONGEST_PREVIEW.units / texts.length);
  const bytes = Math.floor(LONGEST_PREVIEW.bytes / texts.length);
  const clip = (whole: string) => (own ? whole : clipToJsonBytes(clipText(whole, units), bytes));
  return [
    sectionBlock(
      joinLines(
        `*${what} come from ${name}:*`,
        own?.amount ? undefined : rateText(template, budget),
        answers > 0 ? `${formatCount(answers, 'prepared answer')} to screening questions` : undefined,
      ),
    ),
    ...texts.flatMap((each) => textBlocks(each, clip)),
  ];
}

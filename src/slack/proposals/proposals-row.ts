/**
 * A found proposal as a row of a list, with the part of its letter around the words of the search. Pure.
 */
import type { KnownBlock } from '@slack/types';
import type { Proposal } from '../../marketplace/schema.ts';
import type { Query } from '../../query/query.ts';
import { foldText } from '../../query/words.ts';
import {
  buttonElement,
  joinFacts,
  joinLines,
  plainTextSection,
  sectionBlock,
} from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { excerptText } from '../kit/long-text.ts';
import { cleanLine, clipText } from '../kit/mrkdwn.ts';
import { formatNumber } from '../kit/numbers.ts';
import { connectsAndPositionText } from '../kit/words/job-text.ts';
import {
  formatTimeIfShowable,
  outcomeBadgesText,
  proposalFreelancerText,
  proposalProfileText,
  proposalTemplateText,
  proposalTitle,
} from './proposal-facts.ts';

/** The most letter text before the found word. */
const BEFORE = 80;
/** `kotlin or kotlik, react` */
const BETWEEN_MEANT = / or |, /u;
const WORD = /[\p{L}\p{N}]+/gu;

/**
 * The searched words that a found proposal contains, folded.
 * @param meant the search's replacements for misspelled words
 */
export function listSearchWords({ terms }: Query, meant: string | undefined): readonly string[] {
  const written = terms.flatMap((term) => (term.kind === 'qualifier' || term.negated ? [] : [term.text]));
  const found = meant?.split(BETWEEN_MEANT) ?? [];
  const words = [...written, ...found].flatMap((text) => foldText(text).match(WORD) ?? []);
  return [...new Set(words)].filter((word) => word.length > 1);
}

/** The position of the first word that starts with one of those; undefined if none does. */
function placeOfFirst(text: string, sought: readonly string[]): number | undefined {
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const folded = foldText(word);
    if (sought.some((each) => folded.startsWith(each))) return index;
  }
  return undefined;
}

/** The start of the word `BEFORE` characters earlier, or slightly later. */
function beginBefore(text: string, place: number): number {
  const from = Math.max(0, place - BEFORE);
  if (from === 0) return 0;
  const space = text.indexOf(' ', from);
  return space === -1 || space >= place ? place : space + 1;
}

/**
 * One line of plain text that says how much it leaves out:
 * `…the checkout in React and… [300 of 1,240 characters]`. The start of the letter if it contains none of the
 * words.
 */
export function excerptAroundSearchWords(letter: string, sought: readonly string[], max: number): string {
  const whole = cleanLine(letter);
  const place = whole.length <= max || sought.length === 0 ? undefined : placeOfFirst(whole, sought);
  const from = place === undefined ? 0 : Math.min(beginBefore(whole, place), place);
  if (from === 0) return excerptText(whole, max);
  const piece = `…${clipText(whole.slice(from), max)}`;
  return (
    `${piece} [${formatNumber(Math.min(max, whole.length - from))} of ${formatNumber(whole.length)} ` +
    'characters]'
  );
}

const EXCERPT = 300;

function rowText(proposal: Proposal): string {
  const sent = formatTimeIfShowable(proposal.submittedAt);
  return joinLines(
    `*${proposalTitle(proposal)}*  #${proposal.id}`,
    outcomeBadgesText(proposal),
    joinFacts(sent && `sent ${sent}`, proposalFreelancerText(proposal), proposalProfileText(proposal)),
    joinFacts(connectsAndPositionText(proposal), proposalTemplateText(proposal)),
  );
}

/**
 * @param sought words around which to excerpt the letter
 * @param opens whether the row has a button that opens it
 */
export function proposalRow(
  proposal: Proposal,
  { sought, opens }: { readonly sought: readonly string[]; readonly opens: boolean },
): KnownBlock[] {
  const open = buttonElement({
    id: actionIds.proposalOpen,
    label: 'Open',
    value: String(proposal.id),
    accessibilityLabel: `Open the proposal for ${cleanLine(proposal.jobTitle ?? '') || `id ${proposal.id}`}`,
  });
  const letter = excerptAroundSearchWords(proposal.coverLetter, sought, EXCERPT);
  return [
    sectionBlock(rowText(proposal), opens ? open : undefined),
    ...(letter ? [plainTextSection(letter)] : []),
  ];
}

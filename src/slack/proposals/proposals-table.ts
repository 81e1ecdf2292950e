/** Found proposals as a table, and the part of each letter around the words of the search, folded. Pure. */
import type { Button, ContainerBlock, DataTableBlock, StaticSelect } from '@slack/types';
import type { Proposal } from '../../marketplace/schema.ts';
import type { Query } from '../../query/query.ts';
import { foldText, includesWords, splitWordRuns, WORD_RUNS } from '../../query/words.ts';
import {
  buttonElement,
  capitalize,
  joinFacts,
  joinLines,
  menuOption,
  plainTextObject,
  sectionBlocks,
} from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { excerptText } from '../kit/long-text.ts';
import { cleanLine, clipText, escapeMrkdwn, safeLine, unescapeMrkdwn } from '../kit/mrkdwn.ts';
import { formatNumber } from '../kit/numbers.ts';
import {
  dataTableBlock,
  dateCell,
  foldedBlock,
  numberCell,
  type TableCell,
  textCell,
} from '../kit/rich-blocks.ts';
import {
  formatTimeIfShowable,
  proposalFreelancerText,
  proposalOutcomeText,
  proposalProfileText,
  proposalTemplateName,
} from './proposal-details.ts';

/** The most letter text before the found word. */
const BEFORE = 80;
/** `kotlin or kotlik, react` */
const BETWEEN_MEANT = / or |, /u;

/**
 * The searched words that a found proposal contains, folded.
 * @param meant the search's replacements for misspelled words
 */
export function listSearchWords({ terms }: Query, meant: string | undefined): readonly string[] {
  const written = terms.flatMap((term) => (term.kind === 'qualifier' || term.negated ? [] : [term.text]));
  const found = meant?.split(BETWEEN_MEANT) ?? [];
  const words = [...written, ...found].flatMap((text) => splitWordRuns(foldText(text)));
  return [...new Set(words)].filter((word) => word.length > 1);
}

function placeOfFirst(text: string, sought: readonly string[]): number | undefined {
  for (const { 0: word, index } of text.matchAll(WORD_RUNS)) {
    const folded = foldText(word);
    const found = sought.find((words) => includesWords(folded, { words, open: true }));
    if (found !== undefined) return index + folded.indexOf(found);
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

const EXCERPT = 200;
const LONGEST_TITLE = 100;
/** A row with the longest names stays readable in the plain form. */
const LONGEST_NAME = 60;

/** A missing one sorts as the lowest. */
function amountCell(amount: number | undefined): TableCell {
  return amount === undefined || !Number.isFinite(amount) ? numberCell(-1, '–') : numberCell(amount);
}

function nameCell(name: string | undefined): TableCell {
  return textCell(name && unescapeMrkdwn(name), LONGEST_NAME);
}

function titleCellText({ id, jobTitle }: Proposal): string {
  return cleanLine(jobTitle ?? '') || `Proposal ${id}`;
}

/** One page of found proposals. @param proposals at least one */
export function proposalsTable(caption: string, proposals: readonly Proposal[]): DataTableBlock {
  return dataTableBlock({
    caption,
    columns: ['Project', 'ID', 'Result', 'Sent', 'Freelancer', 'Connects', 'Boost', 'Position', 'Template'],
    rows: proposals.map((proposal) => [
      textCell(titleCellText(proposal), LONGEST_TITLE),
      numberCell(proposal.id, String(proposal.id)),
      textCell(capitalize(proposalOutcomeText(proposal))),
      formatTimeIfShowable(proposal.submittedAt, dateCell) ?? textCell(undefined),
      nameCell(proposalFreelancerText(proposal)),
      amountCell(proposal.connects),
      amountCell(proposal.boost || undefined),
      amountCell(proposal.position),
      nameCell(proposalTemplateName(proposal)),
    ]),
  });
}

/** What the table has no room for. mrkdwn. */
function letterText(proposal: Proposal, sought: readonly string[]): string {
  const letter = excerptAroundSearchWords(proposal.coverLetter, sought, EXCERPT);
  return joinLines(
    joinFacts(
      `*${safeLine(titleCellText(proposal), LONGEST_TITLE)}* (#${proposal.id})`,
      proposalProfileText(proposal),
      proposal.fromInvitation ? 'from an invitation' : undefined,
      proposal.archived ? 'archived' : undefined,
    ),
    letter && escapeMrkdwn(letter),
  );
}

/**
 * The letters of a page, folded, with the profile of each proposal.
 * @param proposals at least one
 * @param sought words around which to excerpt the letters
 */
export function foldedLetters(proposals: readonly Proposal[], sought: readonly string[]): ContainerBlock {
  return foldedBlock('Letters', sectionBlocks(proposals.map((each) => letterText(each, sought))));
}

/** Opens a proposal of the page: a button for a single one, else a menu. */
export function openProposalControl(proposals: readonly Proposal[]): Button | StaticSelect {
  const [first] = proposals;
  if (first && proposals.length === 1)
    return buttonElement({
      id: actionIds.proposalOpen,
      label: 'Open',
      value: String(first.id),
      accessibilityLabel: `Open the proposal for ${titleCellText(first)}`,
    });
  return {
    type: 'static_select',
    action_id: actionIds.proposalOpen,
    placeholder: plainTextObject('Open Proposal'),
    options: proposals.map((each) =>
      menuOption(`${clipText(titleCellText(each), LONGEST_NAME)} (${each.id})`, String(each.id)),
    ),
  };
}

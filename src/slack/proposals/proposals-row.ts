/** A found proposal, as a row of a list. Pure. */
import type { KnownBlock } from '@slack/types';
import type { Proposal } from '../../marketplace/schema.ts';
import {
  buttonElement,
  joinFacts,
  joinLines,
  plainTextSection,
  sectionBlock,
} from '../kit/block-builders.ts';
import { cleanLine } from '../kit/clean-text.ts';
import { actionIds } from '../kit/ids.ts';
import { connectsAndPositionText } from '../kit/words/job-text.ts';
import {
  formatTimeIfShowable,
  outcomeBadgesText,
  proposalFreelancerText,
  proposalProfileText,
  proposalTemplateText,
  proposalTitle,
} from './proposal-facts.ts';
import { excerptAroundSearchWords } from './proposals-excerpt.ts';

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

/** A found proposal, in a list. */
import type { KnownBlock } from '@slack/types';
import type { Proposal } from '../../marketplace/schema.ts';
import { cleanLine } from '../blocks/clean-text.ts';
import { actionIds } from '../blocks/ids.ts';
import { costAndPlace } from './job-words.ts';
import { button, line, lines, plainSection, section } from './parts.ts';
import {
  freelancerText,
  momentText,
  outcomeMarks,
  profileText,
  proposalTitle,
  templateText,
} from './proposal-facts.ts';
import { excerptAround } from './proposals-excerpt.ts';

const EXCERPT = 300;

function rowText(proposal: Proposal): string {
  const sent = momentText(proposal.submittedAt);
  return lines(
    `*${proposalTitle(proposal)}*  #${proposal.id}`,
    outcomeMarks(proposal),
    line(sent && `sent ${sent}`, freelancerText(proposal), profileText(proposal)),
    line(costAndPlace(proposal), templateText(proposal)),
  );
}

/**
 * @param sought words around which the letter is shown
 * @param opens whether a button opens it
 */
export function proposalRow(
  proposal: Proposal,
  { sought, opens }: { readonly sought: readonly string[]; readonly opens: boolean },
): KnownBlock[] {
  const open = button({
    id: actionIds.proposalOpen,
    label: 'Open',
    value: String(proposal.id),
    spoken: `Open the proposal for ${cleanLine(proposal.jobTitle ?? '') || `id ${proposal.id}`}`,
  });
  const letter = excerptAround(proposal.coverLetter, sought, EXCERPT);
  return [section(rowText(proposal), opens ? open : undefined), ...(letter ? [plainSection(letter)] : [])];
}

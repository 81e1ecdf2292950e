/**
 * An invitation in full, in a window: its letter, its project, and what the team did before. Our record of
 * the window names the invitation and its channel; nothing in the window itself is trusted.
 */
import type { Button, ModalView } from '@slack/types';
import { z } from 'zod';
import { isProjectBidOn } from '../../bidding/project-bidding.ts';
import { InvitationUid } from '../../ids.ts';
import { findInvitedProject, type InvitationCardData } from '../../invitations/invitations.ts';
import type { ListedProject } from '../../marketplace/schema.ts';
import { type ProjectHistory, projectHistoryBlocks } from '../cards/cards.ts';
import { createPersonalWindows, personalWindowShape } from '../core/personal-records.ts';
import {
  actionsBlock,
  buttonElement,
  contextBlock,
  joinFacts,
  joinLines,
  noticeView,
  sectionBlock,
  sectionBlocks,
} from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { formatTimeAgo, safeLine } from '../kit/mrkdwn.ts';
import { projectLink } from '../kit/project/project-lines.ts';
import {
  invitationLetterBlocks,
  invitationTitle,
  invitedNames,
  invitedTimeText,
  stateLines,
} from './invitations.ts';

const InvitationWindow = z.object({ ...personalWindowShape, uid: InvitationUid });
export type InvitationWindow = z.infer<typeof InvitationWindow>;

export const invitationWindows = createPersonalWindows('invitation-windows', InvitationWindow);

export interface InvitationDetailsFacts extends ProjectHistory {
  readonly window: InvitationWindow;
  readonly data: InvitationCardData;
  /** Its project, if a filter's list showed it. */
  readonly known?: ListedProject | undefined;
  /** What the lookup just now cost, or why there was none; mrkdwn. */
  readonly cost?: string | undefined;
}

function buttons({ data, bidding, looked }: InvitationDetailsFacts): readonly Button[] {
  const { card, invitation } = data;
  const button = (id: string, label: string) =>
    buttonElement({ id, label, value: 'window', accessibilityLabel: `${label}: ${invitation.title}` });
  const own = card.claim
    ? button(actionIds.invitationRelease, 'Release')
    : button(actionIds.invitationClaim, 'Claim');
  if (!findInvitedProject(invitation)) return [own];
  const hasBid = isProjectBidOn(bidding);
  return [
    { ...button(actionIds.invitationBid, hasBid ? 'Bid Again' : 'Bid'), style: 'primary' },
    own,
    button(actionIds.invitationLookUp, `${looked ? 'Refresh' : 'Look Up'} (1 Credit)`),
  ];
}

function sourceText({ cost, looked, known, data }: InvitationDetailsFacts): string {
  if (cost !== undefined) return cost;
  if (!findInvitedProject(data.invitation))
    return "The marketplace doesn't say which project this invitation is for.";
  if (looked) return `Looked up ${formatTimeAgo(looked.at)}. A refresh costs this channel at most 1 credit.`;
  const what = known ? "the price in connects, requirements and the client's history" : 'the whole project';
  return `A lookup adds ${what}. It costs this channel at most 1 credit.`;
}

function headText({ data, known, looked }: InvitationDetailsFacts): string {
  const { invitation } = data;
  const { url } = looked?.project ?? known ?? {};
  const title =
    url === undefined
      ? invitationTitle(invitation, 200)
      : projectLink({ title: invitation.title || 'Untitled project', url }, 200);
  const status = invitation.status && `Status: *${safeLine(invitation.status, 80) || 'unknown'}*`;
  return joinLines(`*${title}*`, joinFacts(...invitedNames(data), invitedTimeText(invitation)), status);
}

/** Opens from stored data, and is drawn again after each press in it. */
export function invitationDetailsView(facts: InvitationDetailsFacts): ModalView {
  const state = stateLines(facts.data, facts.bidding);
  const letter = invitationLetterBlocks(facts.data.invitation);
  const view = noticeView('Invitation Details', [
    sectionBlock(headText(facts)),
    actionsBlock(buttons(facts)),
    ...sectionBlocks(state),
    contextBlock(sourceText(facts)),
    ...(letter.length > 0 ? [sectionBlock('*Letter*'), ...letter] : [contextBlock('No letter.')]),
    ...projectHistoryBlocks(facts, facts.known),
  ]);
  return { ...view, private_metadata: facts.window.id };
}

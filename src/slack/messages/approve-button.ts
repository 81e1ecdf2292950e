/** Approve: with the question that comes first, since it spends connects and may overrule the AI. */
import type { Button } from '@slack/types';
import type { Approval } from '../../bidding/records.ts';
import type { JobId } from '../../ids.ts';
import { cleanLine } from '../blocks/clean-text.ts';
import { actionIds } from '../blocks/ids.ts';
import { limits } from '../blocks/limits.ts';
import { clip } from '../blocks/mrkdwn.ts';
import { button, plain } from './parts.ts';
import { approveValue } from './values.ts';

export interface Approvable {
  readonly job: JobId;
  readonly title?: string | undefined;
  /** In plain words. */
  readonly setup?: string | undefined;
  readonly approval?: Approval | undefined;
  /** Why the AI disqualified it, empty where it gave no reason; undefined: it did not. */
  readonly disqualified: string | undefined;
  /** The message is the person's own: it shows what comes of the press. */
  readonly own?: true;
}

/** As much as leaves room for the AI's reason. */
const LONGEST_TITLE = 100;
const LONGEST_SETUP = 50;

function overrideText(reason: string | undefined): string {
  if (reason === undefined) return '';
  const why = cleanLine(reason);
  return why
    ? ` This overrides the AI's disqualification: ${why}`
    : " This overrides the AI's disqualification, for which it gave no reason.";
}

function question({ job, title, setup, approval, disqualified }: Approvable): string {
  const on = clip(cleanLine(title ?? ''), LONGEST_TITLE);
  const by = clip(cleanLine(setup ?? ''), LONGEST_SETUP);
  const what = `Job #${job} then bids${on ? ` on “${on}”` : ''}${by ? ` with ${by}` : ''}, which spends connects.`;
  const doubt =
    approval?.state === 'unknown'
      ? " The earlier approval's outcome is unknown: it may have taken effect."
      : '';
  return clip(`${what}${doubt}${overrideText(disqualified)}`, limits.confirmText.max);
}

/** Whoever is shown it; the role is checked at the press. */
export function approveButton(it: Approvable): Button {
  const { job, approval, own } = it;
  const pressed = button({
    id: actionIds.jobApprove,
    label: 'Approve',
    value: approveValue.write({ job, seen: approval?.attempt ?? 0, ...(own ? { own } : {}) }),
    spoken: `Approve job ${job}: ${it.title ?? ''}`,
    confirm: {
      title: plain(it.disqualified === undefined ? `Approve job #${job}?` : `Approve job #${job} after all?`),
      text: plain(question(it)),
      confirm: plain('Approve'),
      deny: plain('Not yet'),
    },
  });
  return { ...pressed, style: 'primary' };
}

/** Approve: with the question that comes first, since it spends connects and may overrule the AI. */
import type { Button } from '@slack/types';
import type { Approval } from '../../bidding/records.ts';
import { NOT_TOLD } from '../../bidding/status-words.ts';
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
  /** What the marketplace says of a job of which nobody can tell whether it waits for review. */
  readonly says?: string;
  /** The message is the person's own: it shows what comes of the press. */
  readonly own?: true;
}

/** As much as leaves room for the AI's reason. */
const LONGEST_TITLE = 100;
const LONGEST_SETUP = 50;
const LONGEST_STATE = 60;

function overrideText(reason: string | undefined): string {
  if (reason === undefined) return '';
  const why = cleanLine(reason);
  return why
    ? ` This overrides the AI's disqualification: ${why}`
    : " This overrides the AI's disqualification, which came without a reason.";
}

/** Nothing is claimed that the marketplace doesn't say. */
function stateText(says: string | undefined): string {
  if (says === undefined) return '';
  const words = clip(cleanLine(says), LONGEST_STATE);
  const what = words === '' || words === NOT_TOLD ? 'gives no state' : `says “${words}”`;
  return `The marketplace ${what}, so this job may not need approval. `;
}

function question({ title, setup, approval, disqualified, says }: Approvable): string {
  const on = clip(cleanLine(title ?? ''), LONGEST_TITLE);
  const by = clip(cleanLine(setup ?? ''), LONGEST_SETUP);
  const sends = says === undefined ? 'This sends' : 'If the marketplace accepts the approval, this sends';
  const what = `${sends} the bid${on ? ` on “${on}”` : ''}${by ? ` with ${by}` : ''} and spends connects.`;
  const doubt =
    approval?.state === 'unknown'
      ? ' An earlier approval may already have gone through: its outcome is unknown.'
      : '';
  return clip(`${stateText(says)}${what}${doubt}${overrideText(disqualified)}`, limits.confirmText.max);
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
      title: plain(it.disqualified === undefined ? `Approve job #${job}?` : `Approve job #${job} anyway?`),
      text: plain(question(it)),
      confirm: plain('Approve'),
      deny: plain('Not Yet'),
    },
  });
  return it.says === undefined ? { ...pressed, style: 'primary' } : pressed;
}

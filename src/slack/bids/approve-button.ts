/** The Approve button. It asks for confirmation, since it spends connects and may override the AI. Pure. */
import type { Button } from '@slack/types';
import { UNKNOWN_JOB_STATUS } from '../../bidding/job-status-text.ts';
import type { JobApproval } from '../../bidding/records.ts';
import type { JobId } from '../../ids.ts';
import { buttonElement, plainTextObject } from '../kit/block-builders.ts';
import { approveValueCodec } from '../kit/button-values.ts';
import { cleanLine } from '../kit/clean-text.ts';
import { actionIds } from '../kit/ids.ts';
import { slackLimits } from '../kit/limits.ts';
import { clipText } from '../kit/mrkdwn.ts';

export interface ApproveButtonFacts {
  readonly job: JobId;
  readonly title?: string | undefined;
  /** Plain text. */
  readonly setup?: string | undefined;
  readonly approval?: JobApproval | undefined;
  /** Why the AI disqualified the project, empty if it gave no reason; undefined: not disqualified. */
  readonly disqualified: string | undefined;
  /** The marketplace's status, set only if it leaves open whether the job waits for review. */
  readonly says?: string;
  /** Only this person sees the message: it shows the result of the approval. */
  readonly own?: true;
}

/** Leaves room for the AI's reason. */
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

/** Quotes only what the marketplace says. */
function stateText(says: string | undefined): string {
  if (says === undefined) return '';
  const words = clipText(cleanLine(says), LONGEST_STATE);
  const what = words === '' || words === UNKNOWN_JOB_STATUS ? 'gives no state' : `says “${words}”`;
  return `The marketplace ${what}, so this job may not need approval. `;
}

function question({ title, setup, approval, disqualified, says }: ApproveButtonFacts): string {
  const on = clipText(cleanLine(title ?? ''), LONGEST_TITLE);
  const by = clipText(cleanLine(setup ?? ''), LONGEST_SETUP);
  const sends = says === undefined ? 'This sends' : 'If the marketplace accepts the approval, this sends';
  const what = `${sends} the bid${on ? ` on “${on}”` : ''}${by ? ` with ${by}` : ''} and spends connects.`;
  const doubt =
    approval?.state === 'unknown'
      ? ' An earlier approval may already have gone through: its outcome is unknown.'
      : '';
  return clipText(
    `${stateText(says)}${what}${doubt}${overrideText(disqualified)}`,
    slackLimits.confirmText.max,
  );
}

/** Shown to everyone: the role is checked when someone presses it. */
export function approveButton(it: ApproveButtonFacts): Button {
  const { job, approval, own } = it;
  const pressed = buttonElement({
    id: actionIds.jobApprove,
    label: 'Approve',
    value: approveValueCodec.write({ job, seen: approval?.attempt ?? 0, ...(own ? { own } : {}) }),
    accessibilityLabel: `Approve job ${job}: ${it.title ?? ''}`,
    confirm: {
      title: plainTextObject(
        it.disqualified === undefined ? `Approve job #${job}?` : `Approve job #${job} anyway?`,
      ),
      text: plainTextObject(question(it)),
      confirm: plainTextObject('Approve'),
      deny: plainTextObject('Not Yet'),
    },
  });
  return it.says === undefined ? { ...pressed, style: 'primary' } : pressed;
}

/** Sharing with the channel what one person was shown of proposals. */
import type { Button } from '@slack/types';
import { actionIds, COMMAND } from '../blocks/ids.ts';
import type { Message } from '../routes.ts';
import { codeText } from './mistake.ts';
import { button } from './parts.ts';

export const SHARED_NOTE = ':white_check_mark: Shared to the channel by you.';

/** @param what for screen readers: `these proposals` */
export function shareButton(value: string, what: string): Button {
  return button({
    id: actionIds.proposalsShare,
    label: 'Share to channel',
    value,
    spoken: `Share ${what} to the channel`,
  });
}

export const SHARED_ALREADY: Message = { text: 'You have shared this to the channel already.' };

export const SHARE_GONE: Message = {
  text: `This is out of date and can't be shared any more. Ask again, and share the new answer.`,
};

/** What stood there is no longer kept: nobody follows its profile any more. */
export const SHARE_FORGOTTEN: Message = {
  text: `What stood here is no longer known, since nobody follows its profile any more. ${codeText(`${COMMAND} status`)} tells which profiles are covered.`,
};

export const SHARE_UNCERTAIN: Message = {
  text: `:warning: Slack did not say whether this arrived in the channel. Look there; if it is missing, ask again and share the new answer.`,
};

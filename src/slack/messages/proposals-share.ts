/** Sharing with the channel what one person was shown of proposals. */
import type { Button } from '@slack/types';
import { actionIds, COMMAND } from '../blocks/ids.ts';
import type { Message } from '../routes.ts';
import { codeText } from './mistake.ts';
import { button } from './parts.ts';

export const SHARED_NOTE = ':white_check_mark: You shared this to the channel.';

/** @param what for screen readers: `these proposals` */
export function shareButton(value: string, what: string): Button {
  return button({
    id: actionIds.proposalsShare,
    label: 'Share to Channel',
    value,
    spoken: `Share ${what} to the channel`,
  });
}

export const SHARED_ALREADY: Message = { text: 'You already shared this to the channel.' };

export const SHARE_GONE: Message = {
  text: "This answer is out of date and can't be shared. Run the command again, then share the new answer.",
};

/** What stood there is no longer kept: nobody follows its profile any more. */
export const SHARE_FORGOTTEN: Message = {
  text: `This data is gone, because no channel follows its profile anymore. See which profiles are covered with ${codeText(`${COMMAND} status`)}.`,
};

export const SHARE_UNCERTAIN: Message = {
  text: ":warning: Slack didn't confirm whether this was posted in the channel. Check there first. If it's missing, run the command again and share the new answer.",
};

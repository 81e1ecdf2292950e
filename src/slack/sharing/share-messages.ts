/** Sharing a user's proposal results with the channel. Pure. */
import type { Button } from '@slack/types';
import type { Message } from '../core/routes.ts';
import { buttonElement } from '../kit/block-builders.ts';
import { actionIds, SLASH_COMMAND } from '../kit/ids.ts';
import { codeText } from '../kit/query-error.ts';

export const SHARED_NOTE = ':white_check_mark: You shared this to the channel.';

/** @param what for screen readers: `these proposals` */
export function shareToChannelButton(value: string, what: string): Button {
  return buttonElement({
    id: actionIds.proposalsShare,
    label: 'Share to Channel',
    value,
    accessibilityLabel: `Share ${what} to the channel`,
  });
}

export const SHARED_ALREADY: Message = { text: 'You already shared this to the channel.' };

export const SHARE_OUTDATED_MESSAGE: Message = {
  text: "This answer is out of date and can't be shared. Run the command again, then share the new answer.",
};

/** The data was deleted because no channel follows its profile anymore. */
export const SHARED_DATA_DELETED: Message = {
  text:
    'This data is gone, because no channel follows its profile anymore. ' +
    `See which profiles are covered with ${codeText(`${SLASH_COMMAND} status`)}.`,
};

export const SHARE_UNCERTAIN: Message = {
  text:
    ":warning: Slack didn't confirm whether this was posted in the channel. Check there first. " +
    "If it's missing, run the command again and share the new answer.",
};

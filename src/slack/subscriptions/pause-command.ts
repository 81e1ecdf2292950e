/** `/gig pause` and its end, and how a pause reads. */
import { hasRoleAtLeast } from '../../access/access.ts';
import type { Instant } from '../../clock.ts';
import type { UserId } from '../../ids.ts';
import type { ProfileFeedKind } from '../../profiles/profiles.ts';
import { postResultToChannel } from '../core/handler-steps.ts';
import { notAllowedMessage } from '../core/request-errors.ts';
import type { ActionCall, ActionRoute, CommandCall, CommandRoute, Message } from '../core/routes.ts';
import { findMembershipRefusal } from '../core/user-channels.ts';
import { ConversationValue } from '../kit/button-values.ts';
import { commandButton, messageWithButtons, resumeButton } from '../kit/command-button.ts';
import { inputErrorMessage } from '../kit/command-text.ts';
import { actionIds } from '../kit/ids.ts';
import { channelLink, codeText, formatDate, formatMention } from '../kit/mrkdwn.ts';
import { parseDuration } from '../kit/words/parse-time.ts';

/**
 * Says that new projects are paused, who paused them and until when. mrkdwn.
 * @param isTold whether the text above already says who and until when
 */
export function pauseText(
  { by, until }: { readonly by: UserId; readonly until?: Instant | undefined },
  isTold = false,
): string {
  if (isTold) return ':double_vertical_bar: paused';
  const end = until === undefined ? ', until an admin resumes' : ` until ${formatDate(until)}`;
  return `:double_vertical_bar: paused by ${formatMention(by)}${end}`;
}

/** @param follows the channel's profile feeds: a pause delays invitations but not outcomes */
function channelPausedMessage(
  by: UserId,
  until: Instant | undefined,
  follows: ReadonlySet<ProfileFeedKind>,
): Message {
  const end = until === undefined ? 'until an admin resumes them' : `until ${formatDate(until)}`;
  const what = follows.has('invitations') ? 'new projects and invitations' : 'new projects';
  const more = follows.has('outcomes') ? ' Proposal updates keep coming.' : '';
  const text = `${formatMention(by)} paused ${what} in this channel ${end}.`;
  return messageWithButtons(`${text} The pause uses no credits.${more}`, resumeButton());
}

async function runPause(call: CommandCall): Promise<void> {
  const { services, channel, person } = call;
  if (call.args.toLowerCase() === 'off') return resumeChannel(call);
  const forMs = call.args === '' ? undefined : parseDuration(call.args);
  if (call.args !== '' && forMs === undefined)
    return call.answer(
      inputErrorMessage(
        `${codeText(call.args, 60)} isn't a valid duration. ` +
          'Enter 1 minute to 90 days, such as `30m`, `2h` or `7d`. ' +
          'To pause until someone resumes, use `/gig pause`.',
        'pause 2h',
      ),
    );
  const until = forMs === undefined ? undefined : services.clock.now() + forMs;
  await services.feed.pauseChannelFeed(channel, person.user, until);
  const followed = await services.profiles.listChannelProfileFeeds(channel);
  const kinds = new Set(followed.map(({ feed }) => feed.kind));
  await call.answer(channelPausedMessage(person.user, until, kinds), 'channel');
}

/** Restarts the feeds of the call's channel, for an admin. */
export async function resumeChannel(
  call: Pick<CommandCall, 'services' | 'channel' | 'person' | 'answer'>,
): Promise<void> {
  const resumed = await call.services.feed.resumeChannelFeed(call.channel, call.person.user);
  if (!resumed) {
    const list = commandButton({ command: 'list', label: 'Subscriptions' });
    return call.answer(messageWithButtons("This channel isn't paused.", list));
  }
  await call.answer({ text: `${formatMention(call.person.user)} resumed this channel's feeds.` }, 'channel');
}

export const pauseCommand: CommandRoute = {
  word: 'pause',
  topic: 'feed',
  needs: 'admin',
  usage: ['pause [<duration> | off]'],
  summary:
    'Pause new projects and invitations. ' +
    'After the pause, you get the invitations you missed, ' +
    'and those missed projects that other channels got. Proposal updates keep coming.',
  details: '`/gig pause off`, or Resume, ends a pause. It also restarts feeds that Slack stopped.',
  examples: ['pause', 'pause 30m', 'pause 2 hours', 'pause off'],
  run: runPause,
};

/** In a direct message, the button names its channel: the result is posted there, and answered, too. */
async function runResumeAction(call: ActionCall): Promise<void> {
  const { services, person } = call;
  const channel = ConversationValue.safeParse(call.value).data ?? call.channel;
  const isHere = channel === call.channel;
  const refusal = isHere ? undefined : await findMembershipRefusal(services, person.user, channel);
  if (refusal !== undefined) return call.answer({ text: refusal });
  const there = isHere ? person : await services.resolvePerson(person.user, channel);
  if (!hasRoleAtLeast(there.role, 'admin'))
    return call.answer(notAllowedMessage(there, 'admin', { mayAsk: isHere ? undefined : false }));
  await resumeChannel({
    ...call,
    channel,
    async answer(message, to) {
      if (isHere || to !== 'channel') return call.answer(message, to);
      await postResultToChannel({ services, channel }, message);
      await call.answer({ text: `${channelLink(channel)}: ${message.text}` });
    },
  });
}

/** `runResumeAction` checks whether the person is an admin of the button's channel. */
export const resumeAction: ActionRoute = { id: actionIds.resume, needs: 'viewer', run: runResumeAction };

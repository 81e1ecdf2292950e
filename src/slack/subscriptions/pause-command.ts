import type { CommandCall, CommandRoute } from '../core/routes.ts';
import { inputErrorMessage } from '../kit/input-error.ts';
import { codeText } from '../kit/query-error.ts';
import { parseDuration } from '../kit/words/parse-time.ts';
import { CHANNEL_NOT_PAUSED_MESSAGE, channelPausedMessage, channelResumedMessage } from './pauses.ts';

async function runPause(call: CommandCall): Promise<void> {
  const { services, channel, person } = call;
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
  const follows = new Set(
    (await services.profiles.listChannelProfileFeeds(channel)).map(({ feed }) => feed.kind),
  );
  await call.answer(channelPausedMessage(person.user, until, follows), 'channel');
}

async function runResume(call: CommandCall): Promise<void> {
  const resumed = await call.services.feed.resumeChannelFeed(call.channel, call.person.user);
  if (!resumed) return call.answer(CHANNEL_NOT_PAUSED_MESSAGE);
  await call.answer(channelResumedMessage(call.person.user), 'channel');
}

export const pauseCommand: CommandRoute = {
  word: 'pause',
  topic: 'feed',
  needs: 'admin',
  usage: ['pause [<duration>]'],
  summary:
    'Pause new projects and invitations in this channel. ' +
    'After the pause, you get the invitations you missed, ' +
    'and those missed projects that other channels got. Proposal updates keep coming.',
  examples: ['pause', 'pause 30m', 'pause 2 hours', 'pause 1d'],
  run: runPause,
};

export const resumeCommand: CommandRoute = {
  word: 'resume',
  topic: 'feed',
  needs: 'admin',
  usage: ['resume'],
  summary: "Restart this channel's subscriptions, even if Slack stopped Gigdesk from posting here.",
  examples: ['resume'],
  run: runResume,
};

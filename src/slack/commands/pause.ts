import { inputMistake } from '../messages/input-mistake.ts';
import { codeText } from '../messages/mistake.ts';
import { NOT_PAUSED, pausedMessage, resumedMessage } from '../messages/pauses.ts';
import type { CommandCall, CommandRoute } from '../routes.ts';
import { readDuration } from './read-duration.ts';

async function runPause(call: CommandCall): Promise<void> {
  const { services, channel, person } = call;
  const forMs = call.args === '' ? undefined : readDuration(call.args);
  if (call.args !== '' && forMs === undefined)
    return call.answer(
      inputMistake(
        `${codeText(call.args, 60)} is no length of time: say one from a minute to 90 days, or nothing for “until resumed”.`,
        'pause 2h',
      ),
    );
  const until = forMs === undefined ? undefined : services.clock.now() + forMs;
  await services.feed.pause(channel, person.user, until);
  const follows = new Set((await services.profiles.feeds(channel)).map(({ feed }) => feed.kind));
  await call.answer(pausedMessage(person.user, until, follows), 'channel');
}

async function runResume(call: CommandCall): Promise<void> {
  const resumed = await call.services.feed.resume(call.channel, call.person.user);
  if (!resumed) return call.answer(NOT_PAUSED);
  await call.answer(resumedMessage(call.person.user), 'channel');
}

export const pause: CommandRoute = {
  word: 'pause',
  topic: 'feed',
  needs: 'admin',
  usage: ['pause [<duration>]'],
  summary:
    'No new projects or invitations in this channel for a while; invitations, and what other channels find meanwhile, come afterwards. Outcomes are told on.',
  examples: ['pause', 'pause 30m', 'pause 2 hours', 'pause 1d'],
  run: runPause,
};

export const resume: CommandRoute = {
  word: 'resume',
  topic: 'feed',
  needs: 'admin',
  usage: ['resume'],
  summary: 'What the channel follows comes again, also after Slack had shut Gigdesk out of the channel.',
  examples: ['resume'],
  run: runResume,
};

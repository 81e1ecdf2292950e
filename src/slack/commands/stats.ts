import { drawStats } from '../actions/stats-draw.ts';
import { daysMistake } from '../messages/input-mistake.ts';
import { STATS_DAYS } from '../messages/stats.ts';
import { MOST_STATS_DAYS } from '../messages/stats-values.ts';
import type { CommandRoute } from '../routes.ts';
import { readDays } from './words.ts';

export const stats: CommandRoute = {
  word: 'stats',
  topic: 'reports',
  needs: 'viewer',
  usage: ['stats [<days>]'],
  summary:
    'Show how many proposals are viewed, interviewed and hired, what that costs, and what makes a difference.',
  details: [
    `Covers the last ${STATS_DAYS} days by default, up to ${MOST_STATS_DAYS}. Only you see it until you share it. It costs no credits, and covers profiles that any channel follows (\`/gig subscribe outcomes\`).`,
    'Compare by template, letter variant, boost, position, profile or weekday. Proposals from the last 7 days and replies to invitations are counted separately.',
  ].join('\n'),
  examples: ['stats', 'stats 90'],
  async run(call) {
    const days = call.args === '' ? STATS_DAYS : readDays(call.args, MOST_STATS_DAYS);
    if (days === undefined)
      return call.answer(daysMistake(call.args, { usual: STATS_DAYS, most: MOST_STATS_DAYS }, 'stats 90'));
    await call.answer(await drawStats(call, { days }));
  },
};

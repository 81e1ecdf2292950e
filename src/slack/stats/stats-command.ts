import type { CommandRoute } from '../core/routes.ts';
import { invalidDaysMessage } from '../kit/input-error.ts';
import { parseDays } from '../kit/words/parse-words.ts';
import { renderStatsMessage } from './render-stats.ts';
import { DEFAULT_STATS_DAYS } from './stats-message.ts';
import { MOST_STATS_DAYS } from './stats-values.ts';

export const statsCommand: CommandRoute = {
  word: 'stats',
  topic: 'reports',
  needs: 'viewer',
  usage: ['stats [<days>]'],
  summary:
    'Show how many proposals are viewed, interviewed and hired, what that costs, ' +
    'and what makes a difference.',
  details: [
    `Covers the last ${DEFAULT_STATS_DAYS} days by default, up to ${MOST_STATS_DAYS}. ` +
      'Only you see it until you share it. ' +
      'It costs no credits, and covers profiles that any channel follows (`/gig subscribe outcomes`).',
    'Compare by template, letter variant, boost, position, profile or weekday. ' +
      'Proposals from the last 7 days and replies to invitations are counted separately.',
  ].join('\n'),
  examples: ['stats', 'stats 90'],
  async run(call) {
    const days = call.args === '' ? DEFAULT_STATS_DAYS : parseDays(call.args, MOST_STATS_DAYS);
    if (days === undefined)
      return call.answer(
        invalidDaysMessage(call.args, { usual: DEFAULT_STATS_DAYS, most: MOST_STATS_DAYS }, 'stats 90'),
      );
    await call.answer(await renderStatsMessage(call, { days }));
  },
};

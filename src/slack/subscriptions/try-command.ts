/** `/gig try`: what other rules would have shown of a filter's projects, before anyone changes them. */
import { TRIED_DAYS } from '../../funnel/funnel.ts';
import type { CommandCall, CommandRoute } from '../core/routes.ts';
import { inputErrorMessage, queryErrorMessage } from '../kit/command-text.ts';
import { SLASH_COMMAND } from '../kit/ids.ts';
import { matchLeadingFilter, parseWithFilterNames } from '../kit/words/filters.ts';
import { unclearFilterMessage } from './subscribed.ts';
import { triedRulesMessage } from './try-message.ts';

const EXAMPLE = 'try 123 budget:>1000 -wordpress';

async function runTry(call: CommandCall): Promise<void> {
  const { services, channel } = call;
  // `try filter 123` is the same as `try 123`.
  const text = call.args.replace(/^filter\s+(?=\S)/iu, '');
  if (text === '')
    return call.answer(inputErrorMessage("Add the filter's ID or name, then the rules.", EXAMPLE));
  const { found, ...names } = await parseWithFilterNames(services, text, (known) =>
    matchLeadingFilter(text, known),
  );
  if (found.kind !== 'found') return call.answer(unclearFilterMessage(found, names, 'try'));
  const { filter, rest } = found;
  const tried = await services.funnel.tryRules({ channel, filter: filter.id, rules: rest });
  if (tried.kind === 'tried') return call.answer(triedRulesMessage(tried));
  return call.answer(queryErrorMessage(rest, tried.mistake, `${SLASH_COMMAND} try ${filter.id} `));
}

export const tryCommand: CommandRoute = {
  word: 'try',
  topic: 'feed',
  needs: 'viewer',
  usage: ['try <filter id|name> [<rules>]'],
  summary: "Try rules on known projects. See what they would show and hide of a filter's last 14 days.",
  details: [
    `Shows how many projects of the last ${TRIED_DAYS} days the rules would show, compared with this ` +
      "channel's rules of today, and names hidden ones that your team claimed, bid on or won.",
    'It costs no credits and changes nothing. Without rules, it tries no rules at all. ' +
      '*Preview Rules* in the form of a subscription does the same.',
  ].join('\n'),
  examples: ['try 123 budget:>1000 -wordpress', 'try "Node jobs" verified:yes'],
  isSlow: true,
  run: runTry,
};

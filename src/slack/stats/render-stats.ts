/** Calculates statistics from memory; stores what was shown, so that it can be shared. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { DAY } from '../../clock.ts';
import { isTimezone } from '../../schedule/local-time.ts';
import type { GroupDimension } from '../../statistics/groups.ts';
import { calculateStatistics } from '../../statistics/statistics.ts';
import type { ActionCall, CommandCall, Message, Services } from '../core/routes.ts';
import { noProposalsReason, readProposalsCoverage, saveResultsForSharing } from '../proposals/proposals.ts';
import type { ShownProposals } from '../sharing/sharing.ts';
import { type StatsFacts, statsMessage } from './stats-message.ts';

type ShownStatistics = NonNullable<ShownProposals['statistics']>;

/** Uses the mirror's current data of the proposals sent in those days. */
export async function readStats(
  services: Services,
  {
    days,
    to,
    timezone,
    dimension,
  }: Omit<ShownStatistics, 'dimension'> & { readonly dimension?: GroupDimension | undefined },
): Promise<StatsFacts> {
  const statistics = await calculateStatistics(
    services.proposals.mirror.listNewestFirst(),
    { from: to - days * DAY, to, timezone },
    () => nextTurn(),
  );
  const coverage = await readProposalsCoverage(services);
  return { days, statistics, coverage, dimension: dimension ?? statistics.clearestDimension };
}

/** Without a dimension: shows the clearest one. */
export async function renderStatsMessage(
  call: Pick<ActionCall | CommandCall, 'services' | 'person' | 'channel'>,
  { days, dimension }: { readonly days: number; readonly dimension?: GroupDimension },
): Promise<Message> {
  const { services, person } = call;
  const nothing = await noProposalsReason(services, 'count');
  if (nothing) return nothing;
  // Slack's time zone of a person is untrusted input.
  const timezone = person.timezone && isTimezone(person.timezone) ? person.timezone : services.timezone;
  const to = services.clock.now();
  const facts = await readStats(services, { days, to, timezone, dimension });
  if (facts.statistics.all.funnel.sent === 0) return statsMessage(facts);
  const statistics = { days, to, timezone, dimension: facts.dimension };
  const share = await saveResultsForSharing(call, { proposals: [], statistics });
  return statsMessage({ ...facts, ...omitUndefined({ share }) });
}

/** `/gig status`; and what other rooms use of it. */
import type { CommandCall, CommandRoute } from '../core/routes.ts';
import { resolveVisibleChannels } from '../core/user-channels.ts';
import { readProposalsCoverage } from '../proposals/proposals.ts';
import { statusMessage } from './status-message.ts';

export { allFeedsStoppedText } from './status-message.ts';
export { requestsDelayedText } from './status-parts.ts';

async function showStatus(call: CommandCall): Promise<void> {
  const { services } = call;
  const { store, credits, clock, clockState } = services;
  const at = clock.now();
  const [feed, profiles, coverage, money] = await Promise.all([
    services.feed.readFeedStatus(),
    services.profiles.listAllProfileFeeds(),
    readProposalsCoverage(services),
    store.read(async (tx) => ({
      account: await credits.readAccountState(tx, at),
      budgets: await credits.readBudgetStates(tx, at),
      delivery: await services.delivery.readHealth(tx),
    })),
  ]);
  const channels = money.budgets.map(({ channel }) => channel);
  await call.answer(
    statusMessage({
      ...(await resolveVisibleChannels(call, channels)),
      version: services.version,
      startedAt: services.startedAt,
      at,
      isUnconnected: services.account?.isConnected === false,
      notices: services.storeDamageNotices?.length ?? 0,
      invalidRecords: services.invalidRecords ?? 0,
      missingScopes: services.missingScopes ?? [],
      clock: clockState && clockState(),
      feed,
      profiles,
      gate: services.gate.status(),
      ...money,
      proposals: coverage.profiles.length > 0 ? coverage : undefined,
    }),
  );
}

export const statusCommand: CommandRoute = {
  word: 'status',
  topic: 'about',
  needs: 'viewer',
  usage: ['status'],
  summary: 'Check feeds and credits. Also shows requests and the version.',
  details: "Names public channels and private channels you're in. Other channels' spending is one total.",
  examples: ['status'],
  run: showStatus,
};

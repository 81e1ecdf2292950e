import type { CommandCall, CommandRoute } from '../core/routes.ts';
import { resolveVisibleChannels } from '../core/user-channels.ts';
import { readProposalsCoverage } from '../proposals/proposals.ts';
import { statusMessage } from './status-message.ts';

async function showStatus(call: CommandCall): Promise<void> {
  const {
    feed,
    profiles,
    gate,
    credits: book,
    store,
    clock,
    version,
    startedAt,
    storeDamageNotices,
  } = call.services;
  const { account, invalidRecords = 0, delivery, clockState, missingScopes = [] } = call.services;
  const at = clock.now();
  const [feedStatus, followed, coverage, money] = await Promise.all([
    feed.readFeedStatus(),
    profiles.listAllProfileFeeds(),
    readProposalsCoverage(call.services),
    store.read(async (tx) => ({
      account: await book.readAccountState(tx, at),
      budgets: await book.readBudgetStates(tx, at),
      delivery: await delivery.readHealth(tx),
    })),
  ]);
  const outlook = await resolveVisibleChannels(
    call,
    money.budgets.map(({ channel }) => channel),
  );
  await call.answer(
    statusMessage({
      ...outlook,
      version,
      startedAt,
      at,
      isUnconnected: account?.isConnected === false,
      notices: storeDamageNotices?.length ?? 0,
      invalidRecords,
      missingScopes,
      ...(clockState ? { clock: clockState() } : {}),
      feed: feedStatus,
      profiles: followed,
      gate: gate.status(),
      ...money,
      ...(coverage.profiles.length > 0 ? { proposals: coverage } : {}),
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

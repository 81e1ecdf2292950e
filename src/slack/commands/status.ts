import { readCoverage } from '../actions/proposals-draw.ts';
import { statusMessage } from '../messages/status.ts';
import type { CommandCall, CommandRoute } from '../routes.ts';
import { readOutlook } from '../sight.ts';

async function run(call: CommandCall): Promise<void> {
  const { feed, profiles, gate, credits: book, store, clock, version, startedAt, notices } = call.services;
  const { unfitRecords = 0, delivery, clockState } = call.services;
  const at = clock.now();
  const [feedStatus, followed, coverage, money] = await Promise.all([
    feed.status(),
    profiles.all(),
    readCoverage(call.services),
    store.read(async (tx) => ({
      account: await book.account(tx, at),
      budgets: await book.budgets(tx, at),
      delivery: await delivery.health(tx),
    })),
  ]);
  const outlook = await readOutlook(
    call,
    money.budgets.map(({ channel }) => channel),
  );
  await call.answer(
    statusMessage({
      ...outlook,
      version,
      startedAt,
      at,
      notices: notices?.length ?? 0,
      unfitRecords,
      ...(clockState ? { clock: clockState() } : {}),
      feed: feedStatus,
      profiles: followed,
      gate: gate.status(),
      ...money,
      ...(coverage.profiles.length > 0 ? { proposals: coverage } : {}),
    }),
  );
}

export const status: CommandRoute = {
  word: 'status',
  topic: 'about',
  needs: 'viewer',
  usage: ['status'],
  summary: 'Health check: feeds, requests, credits, version.',
  details: "Names public channels and private channels you're in. Other channels' spending is one total.",
  examples: ['status'],
  run,
};

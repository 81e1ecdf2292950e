import { omitUndefined } from '../../base/omit-undefined.ts';
import { SECOND } from '../../clock.ts';
import { MarketplaceError } from '../../marketplace/errors.ts';
import type { SetupList } from '../../setups/setup-service.ts';
import type { CommandCall, CommandRoute, Message, Services } from '../core/routes.ts';
import {
  normalizeSetupStatus,
  noSuchSetupStatusMessage,
  SETUP_STATUSES,
  setupsMessage,
} from './setups-list.ts';

const FRESH_MS = 60 * SECOND;

/**
 * The newest setups; if the marketplace fails, the stored ones and why. @throws MarketplaceError if none are
 * stored
 */
async function readSetups({ setups }: Services): Promise<SetupList & { readonly trouble?: string }> {
  try {
    return await setups.refreshIfOlderThan(FRESH_MS, 'person');
  } catch (thrown) {
    const known = await setups.readStoredSetups();
    if (!(thrown instanceof MarketplaceError) || known.readAt === undefined) throw thrown;
    return { ...known, trouble: thrown.code };
  }
}

/** @param status in lowercase; undefined: all */
export async function renderSetupsPage(
  services: Services,
  status: string | undefined,
  page: number,
): Promise<Message> {
  const { setups, readAt, trouble } = await readSetups(services);
  const known: readonly string[] = [...SETUP_STATUSES, ...setups.map(normalizeSetupStatus)];
  if (status !== undefined && !known.includes(status)) return noSuchSetupStatusMessage(status);
  return setupsMessage({ setups, readAt, status, page, ...omitUndefined({ trouble }) });
}

async function run(call: CommandCall): Promise<void> {
  await call.answer(await renderSetupsPage(call.services, call.args.toLowerCase() || undefined, 1));
}

export const setupsCommand: CommandRoute = {
  word: 'setups',
  topic: 'bidding',
  needs: 'viewer',
  usage: ['setups [inactive | active | draft | paused]'],
  summary:
    'List the auto bidding setups: template, filter, schedule, and how much of the daily limit is used.',
  details: "Only you see the reply. It's free, and at most 1 minute old. Create setups in the dashboard.",
  examples: ['setups', 'setups active'],
  isSlow: true,
  run,
};

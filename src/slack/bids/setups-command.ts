/** `/gig setups`, and the buttons of the list. */
import { omitUndefined } from '../../base/omit-undefined.ts';
import { SECOND } from '../../clock.ts';
import { MarketplaceError } from '../../marketplace/errors.ts';
import type { SetupList } from '../../setups/setup-service.ts';
import type {
  ActionCall,
  ActionRoute,
  CommandCall,
  CommandRoute,
  Message,
  Services,
} from '../core/routes.ts';
import { NEXT_REQUEST_LABEL, PREVIOUS_REQUEST_LABEL } from '../core/slow-reply.ts';
import { actionIds } from '../kit/ids.ts';
import {
  normalizeSetupStatus,
  noSuchSetupStatusMessage,
  SETUP_STATUSES,
  SETUPS_PRESS_OUTDATED,
  setupsMessage,
  setupsPageValueCodec,
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
async function renderSetupsPage(
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

async function turnPage(call: ActionCall): Promise<void> {
  const asked = setupsPageValueCodec.read(call.value);
  if (!asked) return call.answer(SETUPS_PRESS_OUTDATED);
  await call.replace(await renderSetupsPage(call.services, asked.status, asked.page));
}

/** Each button's value names its target page. */
export const setupsActions: readonly ActionRoute[] = [
  { id: actionIds.setupsPage, needs: 'viewer', pendingLabel: NEXT_REQUEST_LABEL, run: turnPage },
  { id: actionIds.setupsBack, needs: 'viewer', pendingLabel: PREVIOUS_REQUEST_LABEL, run: turnPage },
];

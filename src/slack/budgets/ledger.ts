/** The button of `/gig budget` that shows what the channel spent credits on, and the pages of that list. */
import type { LedgerPageRequest } from '../../credits/credits.ts';
import { ChannelId, isDirectMessage } from '../../ids.ts';
import { unknownButtonMessage } from '../core/request-errors.ts';
import type { ActionCall, ActionRoute, Message } from '../core/routes.ts';
import { findVisibilityRefusal } from '../core/user-channels.ts';
import { actionIds } from '../kit/ids.ts';
import { filterOfPurchase, LEDGER_PAGE_SIZE, ledgerMessage, ledgerPageValueCodec } from './ledger-message.ts';

/** Why the person may not see the channel's charges; undefined: they may. */
async function findLedgerRefusal(
  { services, person, channel: here }: ActionCall,
  channel: ChannelId,
): Promise<string | undefined> {
  if (isDirectMessage(channel) && channel === here) return undefined;
  return findVisibilityRefusal({ services, person }, channel);
}

async function renderLedger(
  { services }: ActionCall,
  request: Omit<LedgerPageRequest, 'size'>,
): Promise<Message> {
  const { store, credits, clock, directory } = services;
  const page = await store.read((tx) =>
    credits.readLedgerPage(tx, { ...request, size: LEDGER_PAGE_SIZE }, clock.now()),
  );
  const filters = [...page.entries, ...page.pending].flatMap(
    ({ purchase }) => filterOfPurchase(purchase) ?? [],
  );
  const filterNames = await directory.readEntryNames('filter', [...new Set(filters)]);
  return ledgerMessage({ ...page, channel: request.channel, filterNames });
}

async function showLedger(call: ActionCall): Promise<void> {
  const channel = ChannelId.safeParse(call.value).data;
  if (!channel) return call.answer(unknownButtonMessage());
  const refusal = await findLedgerRefusal(call, channel);
  await call.answer(refusal === undefined ? await renderLedger(call, { channel }) : { text: refusal });
}

async function turnPage(call: ActionCall): Promise<void> {
  const asked = ledgerPageValueCodec.read(call.value);
  if (!asked) return call.answer(unknownButtonMessage());
  const { channel, to, at, order } = asked;
  const refusal = await findLedgerRefusal(call, channel);
  if (refusal !== undefined) return call.answer({ text: refusal });
  await call.replace(await renderLedger(call, { channel, turn: { to, than: [at, order] } }));
}

/** The channel of the button's value decides, not where it was pressed. */
export const ledgerActions: readonly ActionRoute[] = [
  { id: actionIds.ledgerShow, needs: 'viewer', run: showLedger },
  { id: actionIds.ledgerPage, needs: 'viewer', run: turnPage },
  { id: actionIds.ledgerBack, needs: 'viewer', run: turnPage },
];

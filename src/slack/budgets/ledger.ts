/** The button of `/gig budget` that shows what the channel spent credits on, and the pages of that list. */

import type { Button } from '@slack/types';
import { z } from 'zod';
import type { LedgerPage } from '../../credits/create-credits.ts';
import type { LedgerEntry, LedgerPageRequest, PendingCharge } from '../../credits/credits.ts';
import { ChannelId, FilterId, isDirectMessage, type UserId } from '../../ids.ts';
import { unknownButtonMessage } from '../core/request-errors.ts';
import type { ActionCall, ActionRoute, Message } from '../core/routes.ts';
import { findVisibilityRefusal } from '../core/user-channels.ts';
import { actionsBlocks, contextBlock, joinLines, sectionBlock } from '../kit/block-builders.ts';
import { jsonValueCodec } from '../kit/button-values.ts';
import { actionIds } from '../kit/ids.ts';
import { channelLink, unescapeMrkdwn } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import { pageButtons } from '../kit/paged-list.ts';
import {
  dataTableBlock,
  dateCell,
  numberCell,
  personCell,
  type TableCell,
  textCell,
} from '../kit/rich-blocks.ts';
import { filterName } from '../kit/words/filters.ts';

const LEDGER_PAGE_SIZE = 15;
/** Pending charges are on the first page, in the same table. */
const MOST_PENDING = 10;

const ledgerPageValueCodec = jsonValueCodec(
  z.object({
    channel: ChannelId,
    to: z.enum(['older', 'newer']),
    /** The charge at the edge of the current page. */
    at: z.number().int().min(0).max(8_640_000_000_000_000),
    order: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
  }),
);

interface LedgerFacts extends LedgerPage {
  readonly channel: ChannelId;
  /** Names of filters, as far as known. */
  readonly filterNames: ReadonlyMap<number, string>;
}

type Purchase = LedgerEntry['purchase'];

function filterOfPurchase({ endpoint, subject }: Purchase): FilterId | undefined {
  return endpoint === 'filter-projects' ? FilterId.safeParse(Number(subject)).data : undefined;
}

function purchaseCell(purchase: Purchase, { filterNames }: LedgerFacts): TableCell {
  const { endpoint, subject } = purchase;
  const id = filterOfPurchase(purchase);
  if (id !== undefined) {
    const filter = unescapeMrkdwn(filterName({ id, name: filterNames.get(id) }));
    return textCell(`${backfillByOf(purchase) ? 'Backfill' : 'New projects'}: ${filter}`, 120);
  }
  if (endpoint === 'lookup') return textCell(`Lookup: ${subject}`, 120);
  return textCell(`${endpoint === 'result-projects' ? 'Projects of result' : 'Projects of'} ${subject}`, 120);
}

function backfillByOf(purchase: Purchase): UserId | undefined {
  return purchase.endpoint === 'filter-projects' ? purchase.backfillBy : undefined;
}

function whoCell({ user: requester, purchase }: Pick<LedgerEntry, 'user' | 'purchase'>): TableCell {
  const user = requester ?? backfillByOf(purchase);
  return user === undefined ? textCell('Gigdesk') : personCell(user);
}

/** What this channel paid, and how much of the request that was if others paid, too. */
function creditsCell({ credits, shares }: LedgerEntry, channel: ChannelId): TableCell {
  const own = shares.find((share) => share.channel === channel)?.credits ?? 0;
  const words = own === credits ? formatNumber(own) : `${formatNumber(own)} of ${formatNumber(credits)}`;
  return numberCell(own, words);
}

const PENDING_NOTES: Readonly<Record<PendingCharge['state'], string>> = {
  open: 'In progress',
  unanswered: 'No clear answer: reserved until the balance shows the cost',
  unproven: "Cost can't be proven: reserved until the reset",
};

interface ChargeRow {
  readonly cells: readonly TableCell[];
  /** Empty for most charges. */
  readonly note: string;
}

function pendingRow(charge: PendingCharge, facts: LedgerFacts): ChargeRow {
  const { at, purchase, credits, state } = charge;
  const cells = [
    dateCell(at),
    purchaseCell(purchase, facts),
    whoCell(charge),
    numberCell(credits, `up to ${formatNumber(credits)}`),
    numberCell(-1, '–'),
  ];
  return { cells, note: PENDING_NOTES[state] };
}

function chargeRow(entry: LedgerEntry, facts: LedgerFacts): ChargeRow {
  const { at, purchase, balance, shares, isProvenLater } = entry;
  const notes = [
    ...(isProvenLater ? ['No answer: a later balance proved the cost'] : []),
    ...(shares.length > 1 ? ['Shared with other channels'] : []),
  ];
  const cells = [
    dateCell(at),
    purchaseCell(purchase, facts),
    whoCell(entry),
    creditsCell(entry, facts.channel),
    balance === undefined ? numberCell(-1, '–') : numberCell(balance),
  ];
  return { cells, note: notes.join('. ') };
}

function turnButtons({ channel, entries, hasNewer, hasOlder }: LedgerFacts): Button[] {
  const turn = (to: 'older' | 'newer', edge: LedgerPage['entries'][number] | undefined) =>
    edge && { channel, to, at: edge.cursor[0], order: edge.cursor[1] };
  return pageButtons(
    ledgerPageValueCodec.write,
    {
      id: actionIds.ledgerBack,
      label: 'Previous',
      to: hasNewer ? turn('newer', entries[0]) : undefined,
      accessibilityLabel: 'Newer charges',
    },
    {
      id: actionIds.ledgerPage,
      label: 'Next',
      to: hasOlder ? turn('older', entries.at(-1)) : undefined,
      accessibilityLabel: 'Older charges',
    },
  );
}

function pendingText({ pending }: LedgerFacts): string | undefined {
  if (pending.length === 0) return undefined;
  const credits = pending.reduce((sum, each) => sum + each.credits, 0);
  return (
    `Not certain yet: up to ${formatCount(credits, 'credit')} for ` +
    `${formatCount(pending.length, 'request')}. They stay reserved meanwhile.`
  );
}

function ledgerMessage(facts: LedgerFacts): Message {
  const { channel, entries, pending, hasNewer } = facts;
  const where = isDirectMessage(channel) ? 'this conversation' : channelLink(channel);
  const title = `Credits spent in ${where}, newest first`;
  const charges = [
    ...(hasNewer ? [] : pending.slice(0, MOST_PENDING).map((each) => pendingRow(each, facts))),
    ...entries.map((each) => chargeRow(each, facts)),
  ];
  const hasNotes = charges.some(({ note }) => note !== '');
  const rows = charges.map(({ cells, note }) => (hasNotes ? [...cells, textCell(note)] : [...cells]));
  const columns = ['When', 'What for', 'Who', 'Credits', 'Account left', ...(hasNotes ? ['Note'] : [])];
  return {
    text: title,
    blocks: [
      sectionBlock(
        joinLines(`*${title}*`, rows.length === 0 ? 'No charges yet.' : undefined, pendingText(facts)),
      ),
      ...(rows.length > 0 ? [dataTableBlock({ caption: 'Charges', columns, rows, pageSize: 25 })] : []),
      contextBlock('Gigdesk keeps charges for 13 months. Only you see this.'),
      ...actionsBlocks(turnButtons(facts)),
    ],
  };
}

/** Why the person may not see the channel's charges; undefined: they may. */
async function findLedgerRefusal({ services, person, channel: here }: ActionCall, channel: ChannelId) {
  if (isDirectMessage(channel) && channel === here) return undefined;
  return findVisibilityRefusal({ services, person }, channel);
}

async function renderLedger({ services }: ActionCall, request: Omit<LedgerPageRequest, 'size'>) {
  const { store, credits, clock, directory } = services;
  const order = { ...request, size: LEDGER_PAGE_SIZE };
  const page = await store.read((tx) => credits.readLedgerPage(tx, order, clock.now()));
  const charges = [...page.entries, ...page.pending];
  const filters = charges.flatMap(({ purchase }) => filterOfPurchase(purchase) ?? []);
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

/** `/gig setups`: the auto bidding setups, one page at a time, for one person. */

import type { Button, KnownBlock, StaticSelect } from '@slack/types';
import { z } from 'zod';
import { findSetupWarnings, sortSetups } from '../../bidding/setup-warnings.ts';
import { SECOND } from '../../clock.ts';
import { MarketplaceError } from '../../marketplace/errors.ts';
import type { BiddingSetup } from '../../marketplace/schema.ts';
import { findNearestName } from '../../query/words.ts';
import type { SetupList } from '../../setups/setups.ts';
import type { ActionCall, ActionRoute, CommandRoute, Message, Services } from '../core/routes.ts';
import { NEXT_REQUEST_LABEL, PREVIOUS_REQUEST_LABEL } from '../core/slow-reply.ts';
import {
  actionsBlock,
  contextBlock,
  joinFacts,
  joinLines,
  joinWithOr,
  menuOption,
  plainTextObject,
  sectionBlock,
  sectionBlocks,
} from '../kit/block-builders.ts';
import { jsonValueCodec, PageNumber } from '../kit/button-values.ts';
import { commandButton, messageWithButtons } from '../kit/command-button.ts';
import { inputErrorMessage } from '../kit/command-text.ts';
import { actionIds, SLASH_COMMAND } from '../kit/ids.ts';
import { cleanLine, clipText, codeText, escapeMrkdwn, formatTimeAgo, safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import { cutPage, pageButtons, pageText } from '../kit/paged-list.ts';
import { dataTableBlock, foldedBlock, numberCell, type TableCell, textCell } from '../kit/rich-blocks.ts';
import { marketplaceTimeText } from '../kit/words/job-text.ts';
import { describeMarketplaceFailure, refusalAdviceText } from '../kit/words/marketplace-failure.ts';

const FRESH_MS = 60 * SECOND;

/** If the marketplace fails, the stored ones and why. @throws MarketplaceError if none are stored */
async function readSetups({ setups }: Services): Promise<Pick<SetupsFacts, 'trouble' | keyof SetupList>> {
  try {
    return await setups.refreshIfOlderThan(FRESH_MS, 'person');
  } catch (thrown) {
    const known = await setups.readStoredSetups();
    if (!(thrown instanceof MarketplaceError) || known.readAt === undefined) throw thrown;
    return { ...known, trouble: thrown.code };
  }
}

/** @param status in lowercase; undefined: all */
async function renderSetupsPage(services: Services, status: string | undefined, page: number) {
  const list = await readSetups(services);
  const known: readonly string[] = [...SETUP_STATUSES, ...list.setups.map(normalizeSetupStatus)];
  if (status !== undefined && !known.includes(status)) return noSuchSetupStatusMessage(status);
  return setupsMessage({ ...list, status, page });
}

export const setupsCommand: CommandRoute = {
  word: 'setups',
  topic: 'bidding',
  needs: 'viewer',
  usage: ['setups [inactive | active | draft | paused]'],
  summary: 'List the bidding setups. Template, filter, schedule, and how much of the daily limit is used.',
  details: "Only you see the reply. It's free, and at most 1 minute old. Create setups in the dashboard.",
  examples: ['setups', 'setups active'],
  isSlow: true,
  async run(call) {
    await call.answer(await renderSetupsPage(call.services, call.args.toLowerCase() || undefined, 1));
  },
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

/** The documented ones. Source: docs/marketplace-api.md, States. */
const SETUP_STATUSES = ['active', 'paused', 'draft', 'inactive'] as const;

/** Long names of this many setups fit into a message, in every form of the table. */
const ON_A_PAGE = 12;

const setupsPageValueCodec = jsonValueCodec(
  z.object({ status: z.string().min(1).max(100).optional(), page: PageNumber }),
);

interface SetupsFacts extends SetupList {
  /** A MarketplaceErrorCode, if they could not be read now. */
  readonly trouble?: string;
  /** Only setups with this status, in lower case. */
  readonly status?: string | undefined;
  /** From 1; a page beyond the end shows the last one. */
  readonly page: number;
}

const SIGNS: Readonly<Record<string, string>> = {
  active: ':large_green_circle: ',
  paused: ':double_vertical_bar: ',
};

function normalizeSetupStatus({ status }: Pick<BiddingSetup, 'status'>): string {
  return status.trim().toLowerCase();
}

function todayText(setup: BiddingSetup): string | undefined {
  const { dailyLimit, sentToday } = setup;
  const full = findSetupWarnings(setup).limitUsedUp;
  if (sentToday === undefined)
    return dailyLimit === undefined ? undefined : `up to ${formatNumber(dailyLimit)} a day`;
  return dailyLimit === undefined
    ? `${formatNumber(sentToday)} sent today`
    : `${full ? ':warning: daily limit reached: ' : ''}${formatNumber(sentToday)} of ` +
        `${formatNumber(dailyLimit)} sent today`;
}

function setupName({ id, name }: BiddingSetup): string {
  return cleanLine(name) || `Setup ${id}`;
}

function namedCell(named: BiddingSetup['template'] | BiddingSetup['filter'], missing: string): TableCell {
  if (!named) return textCell(missing);
  const name = cleanLine(named.name ?? '');
  return textCell(name ? `${name} (${named.id})` : String(named.id), 80);
}

function todayCell(setup: BiddingSetup): TableCell {
  const { dailyLimit, sentToday } = setup;
  const full = findSetupWarnings(setup).limitUsedUp ? ', limit reached' : '';
  if (sentToday === undefined) return numberCell(-1, dailyLimit === undefined ? '–' : `up to ${dailyLimit}`);
  const of = dailyLimit === undefined ? '' : ` of ${formatNumber(dailyLimit)}`;
  return numberCell(sentToday, `${formatNumber(sentToday)}${of}${full}`);
}

function setupsTable(caption: string, setups: readonly BiddingSetup[]): KnownBlock {
  return dataTableBlock({
    caption,
    columns: ['Name', 'ID', 'Status', 'Template', 'Filter', 'Sent today', 'Sent in total'],
    rows: setups.map((setup) => [
      textCell(setupName(setup), 80),
      numberCell(setup.id, String(setup.id)),
      textCell(normalizeSetupStatus(setup), 40),
      namedCell(setup.template, 'no template'),
      namedCell(setup.filter, 'no filter'),
      todayCell(setup),
      setup.totalSent === undefined ? numberCell(-1, '–') : numberCell(setup.totalSent),
    ]),
  });
}

/** What the table has no column for. mrkdwn. */
function setupDetails(setup: BiddingSetup): string {
  const { schedule, scheduleLabel, timezone, delayMinutes } = setup;
  const plan = safeLine(scheduleLabel ?? schedule ?? '', 120);
  const zone = safeLine(timezone ?? '', 40);
  return joinLines(
    `*${clipText(escapeMrkdwn(setupName(setup)), 80)}* (#${setup.id})`,
    joinFacts(
      plan && `${plan}${zone ? ` (${zone})` : ''}`,
      delayMinutes ? `${formatCount(delayMinutes, 'minute')} delay` : undefined,
    ),
    historyText(setup),
  );
}

function historyText(setup: BiddingSetup): string {
  const { lastRunAt, lastProposalDate, createdAt, updatedAt, businessManagerId, subscriptionId } = setup;
  return joinFacts(
    lastRunAt ? `last run ${marketplaceTimeText(lastRunAt)}` : 'never ran',
    lastProposalDate && `last proposal ${marketplaceTimeText(lastProposalDate)}`,
    createdAt && `created ${marketplaceTimeText(createdAt)}`,
    updatedAt && updatedAt !== createdAt ? `updated ${marketplaceTimeText(updatedAt)}` : undefined,
    businessManagerId && `business manager ID ${safeLine(businessManagerId, 40)}`,
    subscriptionId === undefined ? undefined : `marketplace subscription ID ${subscriptionId}`,
  );
}

/** One line: name, status, usage of the daily limit. mrkdwn. */
export function setupLine(setup: BiddingSetup): string {
  const status = normalizeSetupStatus(setup);
  const name = safeLine(setup.name, 60) || `Setup ${setup.id}`;
  return joinFacts(`${SIGNS[status] ?? ''}${name} (#${setup.id})`, safeLine(status, 40), todayText(setup));
}

/** A menu of the templates: users who may not build templates see why when they choose one. */
function templateMenu(setups: readonly BiddingSetup[]): StaticSelect[] {
  const templates = new Map(setups.flatMap(({ template }) => (template ? [[template.id, template]] : [])));
  if (templates.size === 0) return [];
  return [
    {
      type: 'static_select',
      action_id: actionIds.templateFrom,
      placeholder: plainTextObject('Copy Template'),
      options: [...templates.values()].map(({ id, name }) =>
        menuOption(cleanLine(name ?? '') || `Template ${id}`, `${id}`),
      ),
    },
  ];
}

function turnButtons(status: string | undefined, page: number, pages: number): Button[] {
  return pageButtons(
    (to: number) => setupsPageValueCodec.write({ status, page: to }),
    { id: actionIds.setupsBack, label: 'Previous Page', to: page > 1 ? page - 1 : undefined },
    { id: actionIds.setupsPage, label: 'Next Page', to: page < pages ? page + 1 : undefined },
  );
}

/** Waiting doesn't help against these. */
const NEEDS_PEOPLE = ['unauthorised', 'subscription-inactive', 'forbidden', 'not-connected'];

function footText({ readAt, trouble }: SetupsFacts): string | undefined {
  const when = readAt === undefined ? '' : ` Last checked ${formatTimeAgo(readAt)}.`;
  if (trouble !== undefined) {
    const next = NEEDS_PEOPLE.includes(trouble)
      ? refusalAdviceText({ code: trouble })
      : 'Try again in a minute.';
    const why = describeMarketplaceFailure(trouble).what;
    return `:warning: Couldn't refresh this list: ${why}.${when} ${next}`;
  }
  return readAt === undefined ? undefined : `Checked ${formatTimeAgo(readAt)}.`;
}

function emptyText({ setups, status }: SetupsFacts): string {
  if (status === undefined || setups.length === 0)
    return 'The marketplace account has no auto bidding setups. Create them in the dashboard.';
  const there = [...new Set(setups.map(normalizeSetupStatus))].slice(0, 6).map((each) => safeLine(each, 40));
  return (
    `No auto bidding setups have the status “${safeLine(status, 40)}”. ` +
    `There ${setups.length === 1 ? 'is' : 'are'} ${formatCount(setups.length, 'other')}: ` +
    `${there.join(', ')}.`
  );
}

function setupsMessage(facts: SetupsFacts): Message {
  const { setups, status } = facts;
  const wanted = sortSetups(
    setups.filter((each) => status === undefined || normalizeSetupStatus(each) === status),
  );
  const { page, pages, rows } = cutPage(wanted, facts.page, ON_A_PAGE);
  const foot = footText(facts);
  const controls = [...templateMenu(rows), ...turnButtons(status, page, pages)];
  const kind = status === undefined ? '' : `${safeLine(status, 40)} `;
  const title =
    wanted.length === 0
      ? emptyText(facts)
      : `${formatCount(wanted.length, `${kind}auto bidding setup`)}` +
        `${pages > 1 ? `, ${pageText(page, pages)}` : ''}`;
  return {
    text: title,
    blocks: [
      ...(rows.length === 0
        ? [sectionBlock(title)]
        : [
            setupsTable(title, rows),
            foldedBlock('Schedules and history', sectionBlocks(rows.map(setupDetails))),
          ]),
      ...(foot ? [contextBlock(foot)] : []),
      ...(controls.length > 0 ? [actionsBlock(controls)] : []),
    ],
  };
}

/** @param written neither a documented status nor one of these setups. */
function noSuchSetupStatusMessage(written: string): Message {
  const meant = findNearestName(written, SETUP_STATUSES);
  const guess = meant ? ` Did you mean ${codeText(`${SLASH_COMMAND} setups ${meant}`)}?` : '';
  return inputErrorMessage(
    `${codeText(written, 60)} isn't a valid setup status. Use ${joinWithOr(SETUP_STATUSES)}.${guess}`,
    `setups ${meant ?? 'active'}`,
  );
}

const SETUPS_PRESS_OUTDATED: Message = messageWithButtons(
  'This list is out of date.',
  commandButton({ command: 'setups', label: 'New List' }),
);

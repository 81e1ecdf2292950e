/** The whole app as `run-app.ts` runs it, with what the older whole-app tests read and type. */
import { machineClock } from '../../src/clock.ts';
import { allCollections } from '../../src/collections.ts';
import { silentLog } from '../../src/log.ts';
import { openJournalStore } from '../../src/storage/open-journal-store.ts';
import type { ReadTransaction } from '../../src/storage/store.ts';
import { createInFlightWorkCounter } from '../../src/workbench/activity.ts';
import { createTrackedDisk } from '../../src/workbench/sandbox-ports.ts';
import type { SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import { type AppOptions, type RunningApp, runApp } from '../kit/run-app.ts';

export type WorldOptions = AppOptions;

export interface World extends Omit<RunningApp, 'data' | 'kill' | 'start' | 'settle'> {
  /** Runs a command as ada, the admin (or as `user`). Returns the answer as text, once the app is idle. */
  gig(channel: string, text: string, user?: string): Promise<string>;
  /** A channel's cards: one for each project link at the head of a message. */
  cards(channel: string): readonly SlackMessage[];
  /** The projects posted in a channel, by their cards' URLs, in order; without summaries. */
  told(channel: string): readonly string[];
  /** Opens a copy of the store as a crash would leave it now. */
  read<T>(look: (tx: ReadTransaction) => Promise<T>): Promise<T>;
  /** The app's current data folder. */
  readonly folder: () => string;
  crash(): Promise<void>;
  /** After `crash` or `end`; optionally on another folder. */
  restart(on?: string): Promise<void>;
}

export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const { data, kill, start, settle, ...app } = await runApp(options);
  const { slack } = app;
  return {
    ...app,
    gig: async (channel, text, user = 'ada') => {
      const before = new Set(
        [...slack.ephemerals(user, channel), ...slack.messages(channel)].map((it) => it.ts),
      );
      await slack.runSlashCommand({ user, channel, text });
      await settle();
      const after = [...slack.ephemerals(user, channel), ...slack.messages(channel)];
      return after
        .filter((it) => !before.has(it.ts))
        .map(wordsOf)
        .join('\n');
    },
    cards: (channel) => slack.messages(channel).filter(isCard),
    told: (channel) => slack.messages(channel).filter(isCard).map(projectOf),
    read: async (look) => {
      if (data.database) return data.database.read(look);
      const folder = await data.copyFolder();
      const disk = createTrackedDisk(createInFlightWorkCounter(), 'forgetful', data.disk);
      const store = await openJournalStore({ ...ofCopy, disk, folder });
      try {
        return await store.read(look);
      } finally {
        await store.close();
      }
    },
    crash: kill,
    folder: data.folder,
    restart: start,
  };
}

/** Deletes the copy with its reader. */
const ofCopy = { collections: allCollections, log: silentLog, clock: machineClock };

/** A cell of a table, with people, channels and dates as in mrkdwn. */
function cellText(value: unknown): string {
  if (Array.isArray(value)) return value.map(cellText).join('');
  if (typeof value !== 'object' || value === null) return '';
  const { text, elements, ...rest } = value as Record<string, unknown>;
  if (typeof rest['user_id'] === 'string') return `<@${rest['user_id']}>`;
  if (typeof rest['channel_id'] === 'string') return `<#${rest['channel_id']}>`;
  if (typeof rest['timestamp'] === 'number')
    return `<!date^${rest['timestamp']}^${String(rest['format'])}|${String(rest['fallback'])}>`;
  return typeof text === 'string' ? text : cellText(elements);
}

function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  const { text, rows, ...rest } = value as Record<string, unknown>;
  if (Array.isArray(rows))
    return rows.map((row) => (Array.isArray(row) ? row.map(cellText).join(' · ') : ''));
  const own = typeof text === 'string' ? [text] : textsIn(text);
  return [...own, ...Object.values(rest).flatMap((part) => (typeof part === 'object' ? textsIn(part) : []))];
}

/** All readable text of a message: its own and that of its blocks. */
export function wordsOf(message: SlackMessage): string {
  return [message.text, ...textsIn(message.blocks)].join('\n');
}

/** The message's post id, such as `notice:C00000001:budget-low:2026-01`; empty for an answer. */
export function postOf(message: SlackMessage): string {
  const post = message.metadata?.event_payload['post'];
  return typeof post === 'string' ? post : '';
}

/** Channel messages that are posts of a kind, such as `card`, `invitation`, `outcome` or `notice`. */
export function posted(
  { slack }: Pick<World, 'slack'>,
  kind: string,
  channel = 'web',
): readonly SlackMessage[] {
  return slack.messages(channel).filter((it) => postOf(it).startsWith(`${kind}:`));
}

function isCard(message: SlackMessage): boolean {
  return postOf(message).startsWith('card:');
}

/** The card's project, from its post id. */
export function projectOf(message: SlackMessage): string {
  return postOf(message).split(':').slice(2).join(':');
}

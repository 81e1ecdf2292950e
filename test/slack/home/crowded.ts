/** An App Home with more of everything than it can show, with hostile names. */
import * as fc from 'fast-check';
import type { Role } from '../../../src/access/access.ts';
import {
  ChannelId,
  DraftId,
  FilterId,
  InvitationUid,
  JobId,
  ProfileId,
  SetupId,
  toCredits,
  UserId,
} from '../../../src/ids.ts';
import type { HomeFacts, HomeHeldOrder } from '../../../src/slack/home/home-facts.ts';
import { bid, HOSTILE, job, WAITING } from '../bids/bidding-samples.ts';
import { BEN, listed, NOW, TEAM } from '../samples.ts';
import { draftOf } from '../templates/template-samples.ts';

const DAY = 86_400_000;
const CEM = UserId.parse('U0CEM');

/** This many of each kind. */
export interface Sizes {
  readonly channels: number;
  readonly subscriptions: number;
  readonly jobs: number;
}

export const PLAIN: Sizes = { channels: 2, subscriptions: 2, jobs: 1 };
/** A little more than is shown of each. */
export const FULL: Sizes = { channels: 28, subscriptions: 3, jobs: 12 };
/** More than is ever shown: gathering stops earlier. */
export const CROWD: Sizes = { channels: 60, subscriptions: 200, jobs: 100 };

const STATES = [
  { kind: 'live' },
  { kind: 'out-of-budget' },
  { kind: 'stopped', error: 'is_archived' },
  { kind: 'failing', code: 'server', since: NOW, retryAt: NOW },
] as const;

function many<T>(length: number, make: (at: number) => T): T[] {
  return Array.from({ length }, (_none, at) => make(at));
}

function channelOf(at: number): ChannelId {
  return ChannelId.parse(`C0WEB${at}`);
}

function viewsOf(channel: ChannelId, word: string, count: number) {
  return many(count, (at) => ({
    subscription: {
      team: TEAM,
      channel,
      filter: FilterId.parse(at + 1),
      rules: word,
      by: BEN,
      createdAt: NOW,
      startsAt: NOW,
    },
    filter: { id: FilterId.parse(at + 1), name: word },
    state: STATES[at % STATES.length] ?? STATES[0],
    lastGoodAt: NOW,
  }));
}

function profilesOf(channel: ChannelId, word: string, count: number) {
  return many(count, (at) => ({
    feed: {
      team: TEAM,
      channel,
      kind: 'invitations' as const,
      profile: ProfileId.parse(at + 1),
      by: BEN,
      createdAt: NOW,
      startsAt: NOW,
    },
    profileName: word,
  }));
}

function heldOn(word: string, at: number, by: UserId): HomeHeldOrder {
  const held = bid({ by, title: word, url: word, state: 'held' });
  const second = { needed: 2, reasons: ['amount' as const], not: [], given: [], round: 1 };
  const hold = {
    at: NOW,
    seconds: 60,
    shown: 'a',
    ...(at === 1 && by === BEN ? { dueAt: NOW + 60_000 } : { second }),
  };
  return {
    team: TEAM,
    channel: channelOf(at),
    subject: { job: {}, bid: held },
    sender: by,
    ref: 'bid:1',
    home: held.home,
    attempt: 1,
    hold,
    shown: [],
    isHeld: true,
    of: { bid: { ...held, hold } },
    link: 'https://x.slack.com/archives/C0WEB/p2',
  };
}

export function factsOf(
  word: string,
  { channels, subscriptions, jobs }: Sizes,
  role: Role = 'admin',
): HomeFacts {
  return {
    invitedTo: Array.from({ length: 10 }, (_, n) => ({
      id: ChannelId.parse(`CNEW${n}`),
      name: '<!channel>'.repeat(20),
      isPrivate: false,
    })),
    person: { user: BEN, role },
    notice: ':white_check_mark: Done.',
    account: { remaining: 8_200, resetsAt: NOW + 20 * DAY, confirmed: true, byChannels: 1_500, outside: 0 },
    feed: {},
    gate: { limitPerMinute: 30, used: 7, waiting: 0 },
    at: NOW,
    waiting: {
      shown: many(Math.min(7, jobs), (at) => ({
        job: job({
          ...WAITING,
          id: JobId.parse(at + 1),
          setupName: word,
          bidAmount: word,
          reason: `disqualified ${word}`,
        }),
        title: word,
        verdict: { decision: 'disqualified', reason: word, other: {} },
      })),
      more: Math.max(0, jobs - 7),
    },
    held: {
      own: { shown: many(3, (at) => heldOn(word, at, BEN)), more: 4 },
      toApprove: { shown: many(3, (at) => heldOn(word, at, CEM)), more: 2 },
    },
    uncertain: {
      shown: many(3, (at) => bid({ title: word, url: word, state: 'unknown', channel: channelOf(at) })),
      more: 2,
    },
    claims: {
      shown: many(6, (at) => {
        const where = { channel: channelOf(at), at: NOW, link: 'https://x.slack.com/archives/C0WEB/p1' };
        return at % 2 === 0
          ? { ...where, kind: 'project' as const, project: listed({ title: word, url: word }) }
          : { ...where, kind: 'invitation' as const, uid: InvitationUid.parse(`uid-${at}`), title: word };
      }),
      more: 100,
      orMore: true,
    },
    drafts: {
      shown: many(4, (at) =>
        at % 2 === 0
          ? {
              kind: 'bid' as const,
              draft: {
                team: TEAM,
                user: BEN,
                id: DraftId.parse('abcdefghijklmnop12345678'),
                channel: channelOf(at),
                project: listed().key,
                title: word,
                url: word,
                form: {
                  marketplaceJobId: '',
                  projectId: '',
                  bidAmount: '',
                  boostConnects: '',
                  when: 'as-set-up' as const,
                  inMinutes: '',
                  coverLetter: word,
                  answers: [],
                },
                parts: 1,
                seen: {},
                shownBids: {},
                shown: 0,
                asks: 0,
                at: NOW,
              },
            }
          : {
              kind: 'template' as const,
              draft: draftOf({ user: BEN, form: { ...draftOf().form, name: word } }),
            },
      ),
      more: 15,
    },
    channels: many(channels, (at) => ({
      channel: channelOf(at),
      name: word,
      role,
      budget: {
        channel: channelOf(at),
        limit: at % 2 === 0 ? toCredits(500) : ('unlimited' as const),
        settled: 180,
        reserved: 20,
        available: 300,
        period: { startsAt: NOW, resetsAt: NOW + DAY, confirmed: true },
      },
      settings: {
        team: TEAM,
        channel: channelOf(at),
        density: 'full' as const,
        mutes: [],
        paused: { by: BEN, at: NOW, until: NOW + DAY },
        quiet: { from: 1200, to: 480, weekends: true },
      },
      subscriptions: viewsOf(channelOf(at), word, subscriptions),
      profiles: profilesOf(channelOf(at), word, subscriptions),
    })),
    moreChannels: channels > 10 ? 40 : 0,
    setups: {
      setups: many(30, (at) => ({
        id: SetupId.parse(at + 1),
        name: word,
        status: word,
        dailyLimit: 20,
        sentToday: 3,
      })),
      readAt: NOW,
    },
  };
}

export const anyWord = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', maxLength: 3_000 }));

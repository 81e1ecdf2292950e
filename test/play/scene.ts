/** Who and what is in a play, and how it begins. */
import { MINUTE, SECOND } from '../../src/clock.ts';
import { ALL_HOURS, FAST_SETUP, FILTER, letBid, setRules } from '../kit/start-desk.ts';
import { addSenders } from '../kit/template-play.ts';
import type { Play } from './play.ts';

export const PEOPLE = ['ada', 'ben', 'cem'] as const;
export const CHANNELS = ['web', 'data', 'ops'] as const;
export const FILTERS = [FILTER.id, 102, 103] as const;
export const SETUPS = [FAST_SETUP, { id: FAST_SETUP.id + 1, name: 'Slow setup' }] as const;
/** Whose invitations and outcomes are in `web` during a soak. */
export const PROFILE = 31;
/** Of each channel, in a soak: projects wait until the next day when it is used up. */
export const CREDITS_A_DAY = 45;
/** Offered by a summary of many cards. */
export const SHOW = ['Show Newest', 'Show Best', 'Show Next', 'Show All', 'Show Card'];
/** In a play of bids: few projects, so that people get in each other's way. */
const TITLES = ['A lion tamer', 'A zebra rider', 'A bear trainer'];
const SUBSCRIBED = {
  bids: [
    ['web', 101, ''],
    ['data', 101, ''],
  ],
  books: [['web', 101, '']],
  soak: [
    ['web', 101, ''],
    ['web', 102, ''],
    ['data', 102, '-zebra'],
  ],
} as const;
/** Claims in `web` expire. */
const CLAIMS = {
  'Targets and nudges': ['Show targets'],
  'Nudge the person on duty after': 2,
  'Claims without a bid expire after': 5,
  ...ALL_HOURS,
  'Lead: person': 'ada',
};

export async function settleIn(play: Play): Promise<void> {
  const { desk, options } = play;
  const { slack, market } = desk;
  market.service.setModes(options.modes ?? {});
  slack.setHistoryLimit(options.slack?.historyLimit ?? 'usual');
  slack.setOptionalFields(options.slack?.optionalFields ?? 'sent');
  slack.addChannel({ name: 'ops' });
  slack.inviteBot('ops');
  for (const name of PEOPLE) desk.person(name);
  for (const name of PEOPLE) slack.invite('ops', name);
  for (const id of FILTERS) market.service.addFilter({ id, name: `Filter ${id}` });
  for (const [place, { id, name }] of SETUPS.entries())
    market.service.addSetup({
      id,
      name,
      filter: FILTER,
      status: 'active',
      dailyProposalsLimit: 50,
      proposalsSentToday: 0,
      reviewsJobs: (options.seed + place) % 3 > 0,
    });
  await setUp(play);
  const hints = await play.settings('web', 'Hints');
  play.hintSecret = /\/hooks\/(T[\w-]+)/u.exec(hints.text)?.[1] ?? '';
  await desk.person('ada').close();
  for (const [channel, filter, rules] of SUBSCRIBED[options.about])
    await play.subscribe(channel, filter, rules);
  if (options.about === 'bids') await publishFirst(play);
  if (options.about === 'soak') await settleInForDays(play);
  if (options.poor) {
    play.spentOutside = market.service.creditsRemaining() - 35;
    market.service.spendCreditsElsewhere(play.spentOutside);
  }
  await play.look();
}

async function setUp(play: Play): Promise<void> {
  const { desk, options } = play;
  for (const channel of ['web', 'data']) {
    await letBid(desk, ['ben', 'cem'], channel);
    if (options.rules) await setRules(desk.person('ada'), options.rules, channel);
  }
  if (options.about !== 'bids') await (await play.settings('web', 'Response Times')).send(CLAIMS);
}

async function publishFirst(play: Play): Promise<void> {
  const { desk, published } = play;
  await desk.pass(20 * SECOND);
  for (const [place, title] of TITLES.entries()) {
    const clientQuestions = place === 0 ? ['Which shops have you built?'] : [];
    const seed = { title: `${title} №${place}.`, clientQuestions, usOnly: false, ukOnly: false };
    published.push(desk.market.publish(seed).project);
    await desk.pass(SECOND);
  }
  const haveAll = () => ['web', 'data'].every((it) => play.cards(it).length === TITLES.length);
  await desk.app.until('the cards', haveAll, 2 * MINUTE);
}

/** Invitations, outcomes, templates and digests. */
async function settleInForDays(play: Play): Promise<void> {
  const { desk } = play;
  const { service } = desk.market;
  service.addProfile({ id: PROFILE, label: 'Ana Larsen', type: 'agency' });
  addSenders(desk);
  service.addProposal({ profileId: PROFILE, organizationId: 7 });
  service.addInvitation({ profileId: PROFILE, organizationId: 7, title: 'Of the past' });
  const lines = [
    ['web', `subscribe invitations ${PROFILE}`],
    ['web', `subscribe outcomes ${PROFILE}`],
    ['web', 'digest at 09:00 Europe/Berlin daily'],
    ['data', 'digest at 17:30 America/New_York weekdays'],
  ] as const;
  // These commands look things up at once, so the gate needs room.
  for (const [channel, line] of lines) {
    await desk.pass(2 * MINUTE);
    await play.say(channel, line);
    await desk.person('ada').close();
  }
  await desk.pass(2 * MINUTE);
  const { text } = await play.say('web', 'list');
  if (!/\(31\).*\(31\)/su.test(text)) throw new Error(`not everything is followed: ${text}`);
}

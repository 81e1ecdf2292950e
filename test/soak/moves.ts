/** What people and the marketplace do during a soak. A move may fail: storms break whatever they like. */
import { setImmediate } from 'node:timers/promises';
import { MINUTE } from '../../src/clock.ts';
import { type MarketplaceFaultEffect, presetFaults } from '../../src/workbench/marketplace/faults.ts';
import type { Person } from '../kit/person.ts';
import type { Message, Screen } from '../kit/read-screen.ts';
import { PATHS } from '../kit/start-desk.ts';
import { fillTemplate } from '../kit/template-play.ts';
import type { Soak } from './soak.ts';

export const CHANNELS = ['web', 'data', 'ops'];
/** Whose invitations and outcomes are in `web`. */
export const PROFILE = 31;
/** People don't act on older messages. */
const NEWEST = 12;
const PATHS_OF_BIDS = [PATHS.bid, PATHS.approve, PATHS.bidStatus, '/auto-bidding/setups', PATHS.lookup];
const TROUBLE: readonly MarketplaceFaultEffect[] = [
  { kind: 'drop', when: 'before' },
  { kind: 'drop', when: 'after' },
  { kind: 'break-body' },
  { kind: 'hold-headers', ms: 12_000 },
  { kind: 'hold-body', ms: 40_000 },
  presetFaults.status(500),
  presetFaults.status(400, 'This client takes no bids'),
  presetFaults.status(402, 'Insufficient credits'),
  presetFaults.errorAfterEffect(502),
  presetFaults.wrongJson(),
  presetFaults.rateLimited('7'),
];
const COMMANDS = (
  'status|list|budget|stats 30|help|audit|setups|results 101|proposals is:hired|template drafts|' +
  'digest|digest now|subscribe filter nowhere|lookup nothing|settings|access'
).split('|');
const ON_CARDS = ['Claim', 'Claim', 'Release', 'Details', 'Skip', 'Undo Skip', 'Follow Up', 'Refresh'];
const ON_FORMS = ['Check', 'Open Again', 'Try Again', 'Reload', 'Start Over', 'In 15'];
/** Offered by a summary of many cards. */
export const SHOW = ['Show All', 'Show Next', 'Show Best', 'Show Card'];

type Move = (soak: Soak) => Promise<unknown>;

const anyone = ({ dice, desk }: Soak): Person => desk.person(dice.pick(['ada', 'ben', 'cem']));
const newest = ({ dice }: Soak, by: Person, channel = dice.pick(['web', 'data'])) =>
  by.reads(channel).slice(-NEWEST);
const offeredOf = <T extends Screen>(all: readonly T[], labels: readonly string[]) =>
  all.flatMap((on) => labels.filter((it) => on.offers(it)).map((label) => ({ on, label })));

async function publish({ dice, desk, published }: Soak): Promise<void> {
  for (let count = dice.pick([1, 1, 2, 3, 5, 14]); count > 0; count--) {
    const filters = dice.pick([[101], [102], [101, 102]]);
    const title = `${dice.pick(['Lion', 'Zebra', 'Bear'])} job ${published.length + 1} of us`;
    published.push({ title, ...desk.market.publish({ title, usOnly: false, ukOnly: false }, filters) });
    desk.app.clock.moveBy(dice.pick([0, 100, 700]));
  }
}

async function spoil({ dice, desk }: Soak, path = dice.pick([PATHS.projects, ...PATHS_OF_BIDS])) {
  desk.market.fail(path, dice.pick(TROUBLE), dice.pick([1, 1, 2, 4]));
}

/** Sometimes several people press at once. */
async function pressOn(soak: Soak, on: Screen, label: string): Promise<void> {
  const { dice, desk } = soak;
  const people = dice.share() < 0.2 ? ['ada', 'ben', 'cem'].map((it) => desk.person(it)) : [anyone(soak)];
  await Promise.all(people.map((it) => it.press(on, label)));
}

async function useMessage(soak: Soak, labels: readonly string[], messages: readonly Message[]) {
  const found = soak.dice.any(offeredOf(messages, labels));
  if (found) await pressOn(soak, found.on, found.label);
}

/** With a letter of its own, which nobody may send twice: not even who sends the form again. */
async function bid(soak: Soak): Promise<void> {
  const { dice, desk, forms } = soak;
  const ben = desk.person(dice.pick(['ben', 'cem']));
  await ben.close();
  const found = dice.any(offeredOf(newest(soak, ben), ['Try Again', 'Bid']));
  const form = found && (await ben.press(found.on, found.label));
  if (!form?.text.includes('Cover letter')) return;
  const letter = `Letter ${forms.length + 1} of us`;
  forms.push({ letter, shown: form.text });
  if (dice.share() < 0.45) await spoil(soak, PATHS.bid);
  const input = { 'Bidding setup': dice.pick(['Fast setup', 'Slow setup']), 'Cover letter': letter };
  const send = () => form.send(input);
  await Promise.allSettled(dice.share() < 0.2 ? [send(), send()] : [send()]);
  const request = desk.slack.sentRequests().findLast((it) => it.payload['type'] === 'view_submission');
  if (request && dice.share() < 0.2) await desk.settleAfter(desk.slack.resendRequest(request));
}

async function useForm(soak: Soak): Promise<void> {
  const form = anyone(soak).form();
  const found = soak.dice.any(offeredOf([form], ON_FORMS));
  if (found) await form.press(found.label);
}

async function approve(soak: Soak): Promise<void> {
  const { dice, desk, approvals } = soak;
  const ada = desk.person('ada');
  const replies = newest(soak, ada).flatMap((it) => it.replies());
  const request = dice.any(replies.filter((it) => it.offers('Approve')));
  if (!request) return bid(soak);
  if (dice.share() < 0.4) await spoil(soak, PATHS.approve);
  // A press counts for what its request showed, however often it is pressed.
  approvals.add(request.text);
  await pressOn(soak, request, 'Approve');
}

async function invite({ dice, desk, invitations }: Soak): Promise<void> {
  const { service } = desk.market;
  const project = dice.any(service.projects().slice(-NEWEST));
  const title = `Invitation ${invitations.length + 1} of us`;
  const ofProject = project && dice.share() < 0.5 ? { jobPostingUid: project.uid } : {};
  service.addInvitation({ profileId: PROFILE, title, ...ofProject });
  invitations.push(title);
}

/** A proposal is sent; later a client hires for it. */
async function propose({ dice, desk, proposals }: Soak): Promise<void> {
  const { service } = desk.market;
  const before = dice.any(proposals.filter((it) => !it.isHired));
  if (before && dice.share() < 0.5) {
    before.isHired = true;
    service.updateProposal(before.id, { isViewed: true, isInterviewed: true, isHired: true });
    return;
  }
  const jobTitle = `Proposal ${proposals.length + 1} of us`;
  const nothingYet = { isViewed: false, isInterviewed: false, isHired: false, isWithdrawn: false };
  const submittedAt = desk.app.clock.now();
  const seed = { profileId: PROFILE, organizationId: 7, jobTitle, submittedAt, boostOutbid: false };
  const { id } = service.addProposal({ ...seed, ...nothingYet });
  proposals.push({ id, title: jobTitle, isHired: false });
}

/** Only in `ops`, where not all projects are due. */
async function mute(soak: Soak): Promise<void> {
  const ada = soak.desk.person('ada');
  const found = soak.dice.any(offeredOf(newest(soak, ada, 'ops'), ['Mute']));
  if (!found) return;
  await (await ada.press(found.on, 'Mute')).send();
  await ada.close();
  if (soak.dice.share() < 0.5) await (await ada.type('/gig list', 'ops')).press('Unmute');
}

async function buildTemplate({ dice, desk, templates }: Soak): Promise<void> {
  const name = `Template ${templates.size + 1} of us`;
  const ask = () => templates.set(name, (templates.get(name) ?? 0) + 1);
  const ben = desk.person('ben');
  await ben.close();
  const review = await fillTemplate(ben, name);
  if (dice.share() < 0.6)
    desk.market.fail({ method: 'POST', path: '/proposal-templates' }, dice.pick(TROUBLE));
  ask();
  await review.send();
  await desk.pass(MINUTE / 3);
  const told = ben.form();
  if (!told.text.includes("don't know if") || dice.share() < 0.5) return;
  const again = await told.press('Open Again');
  ask();
  await again.press('Create Again');
}

/** Another move is under way. */
async function kill(soak: Soak): Promise<void> {
  const { dice, desk } = soak;
  if (soak.isLasting) return;
  const doing = dice
    .pick([publish, bid, approve, useCards, command])(soak)
    .catch(() => undefined);
  for (let turns = dice.pick([0, 1, 3, 8, 21, 55]); turns > 0; turns--) await setImmediate();
  soak.kills++;
  await desk.restart();
  await doing;
}

async function command(soak: Soak): Promise<void> {
  const { dice, published } = soak;
  const project = dice.any(published)?.project;
  const text = project && dice.share() < 0.1 ? `lookup ${project.ciphertext}` : dice.pick(COMMANDS);
  const person = anyone(soak);
  await person.type(`/gig ${text}`, dice.pick(CHANNELS));
  await person.close();
}

const useCards: Move = (soak) => useMessage(soak, ON_CARDS, newest(soak, anyone(soak)));
const useSummaries: Move = (soak) => useMessage(soak, SHOW, soak.desk.person('ada').reads('web'));
const say = (texts: readonly string[], channels = CHANNELS): Move => {
  return ({ dice, desk }) => desk.person('ada').type(`/gig ${dice.pick(texts)}`, dice.pick(channels));
};
const moveJob: Move = async ({ dice, desk }) => {
  const { service } = desk.market;
  const job = dice.any(service.jobs().filter((it) => it.status === 'scheduled'));
  const end = dice.pick([
    { status: 'processing' },
    { status: 'failed', errorMessage: 'No connects' },
  ] as const);
  if (job) service.updateJob(job.id, end);
};
const spoilSlack: Move = async ({ dice, desk }) => {
  const method = dice.pick(['chat.postMessage', 'chat.update', 'views.open', 'views.update', 'response_url']);
  desk.slack.injectFault(method, dice.pick(SLACK_TROUBLE), dice.pick([1, 2, 3]));
};
const SLACK_TROUBLE = [
  { kind: 'ratelimited', retryAfterS: 20 },
  { kind: 'status', status: 500, when: 'after' },
  { kind: 'drop', when: 'before' },
  { kind: 'drop', when: 'after' },
  { kind: 'broken-json', when: 'after' },
] as const;

/** How often each comes, of 100. */
export const MOVES: readonly (readonly [number, string, Move])[] = [
  [19, 'projects', publish],
  [6, 'a fault of the marketplace', (soak) => spoil(soak)],
  [4, 'a fault of Slack', spoilSlack],
  [16, 'a bid', bid],
  [4, 'a form', useForm],
  [6, 'an approval', approve],
  [3, 'a job moves on', moveJob],
  [11, 'a press on a card', useCards],
  [2, 'a summary', useSummaries],
  [9, 'a command', command],
  [3, 'Home', (soak) => anyone(soak).home()],
  [3, 'an invitation', invite],
  [4, 'a proposal', propose],
  [2, 'a mute', mute],
  [2, 'a pause', say(['pause', 'pause 3m', 'pause off', 'pause off'])],
  [2, 'a subscription', say(['subscribe filter 101', 'subscribe filter 102 lion'], ['ops'])],
  [1, 'a template', buildTemplate],
  [5, 'a kill', kill],
];

/** What people, tools and the services do in a play. A move may fail: faults break whatever they like. */
import { setImmediate } from 'node:timers/promises';
import { MINUTE, SECOND } from '../../src/clock.ts';
import type { SimulatedJob } from '../../src/workbench/marketplace/records.ts';
import type { ProjectWithFilterIds } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import type { SlackView } from '../../src/workbench/slack/simulated-slack.ts';
import { fieldsOf, findField, findOption, findPressable, type Screen, screenOf } from '../kit/read-screen.ts';
import { PATHS } from '../kit/start-desk.ts';
import { fillTemplate } from '../kit/template-play.ts';
import type { Play } from './play.ts';
import { CHANNELS, FILTERS, PEOPLE, PROFILE, SETUPS, SHOW } from './scene.ts';
import { anotherJob, SLACK_METHODS, SLACK_TROUBLE, TROUBLE } from './troubles.ts';

/** People don't act on older messages. */
const NEWEST = 20;
const PROJECT_FIELD = 'Project link or ~ID';
const OPENS_FORM = ['Try Again', 'Bid', 'Bid with another setup'];
const IN_FORM = ['Check', 'Open Again', 'Try Again', 'Reload', 'Start Over', 'In 15', 'Look Up'];
const ON_BIDS = ['Approve', 'Check', 'Refresh', 'Proposal'];
const ON_CARDS = ['Claim', 'Claim', 'Release', 'Details', 'Skip', 'Undo Skip', 'Follow Up', 'Refresh'];
const TITLES = ['A lion tamer', 'A zebra rider', 'A bear trainer'];
const RULES = ['', '', '-zebra', 'lion'];
const BUDGETS = ['0', '9', '10', '15', '25', '60', '200', 'off'];
const COMMANDS = (
  'status|list|budget|stats 30|help|audit|setups|results 101|proposals is:hired|template drafts|' +
  'digest|digest now|subscribe filter nowhere|lookup nothing|settings|access'
).split('|');
const ENDS: readonly Partial<SimulatedJob>[] = [
  { status: 'processing' },
  { status: 'failed', errorMessage: 'Out of connects' },
  { status: 'skipped', reason: 'The daily limit is reached' },
];
const BIDDING = [PATHS.bid, PATHS.approve, PATHS.bidStatus, '/auto-bidding/setups', PATHS.lookup];

type Move = (play: Play) => Promise<unknown>;

/** How people name a project. */
export function namesOf({ ciphertext, url, uid }: ProjectWithFilterIds): readonly string[] {
  return [ciphertext, ciphertext.slice(1), url, uid];
}

function isForm(view: SlackView | undefined): view is SlackView {
  return view?.submit === 'Send Bid';
}

const anyone = ({ dice }: Play) => dice.pick(PEOPLE);
/** Sometimes several at once. */
const someone = (play: Play) => (play.dice.share() < 0.3 ? PEOPLE : [anyone(play)]);
/** In a soak, only `ops` changes: in the other channels, every project stays due. */
const changing = ({ dice, options }: Play) => (options.about === 'soak' ? 'ops' : dice.pick(CHANNELS));
const anyOf = ({ dice, published }: Play) => dice.any(published)?.ciphertext ?? '~0';
const newestCards = (play: Play) => ['web', 'data'].flatMap((it) => play.cards(it, NEWEST));
const afterwards = ({ dice, desk }: Play) => desk.pass(dice.pick([0, 0, 1, 4, 20]) * SECOND);

async function press(play: Play, users: readonly string[], on: Screen, label: string): Promise<void> {
  const found = on.shown && findPressable(on.shown, label);
  if (!found) return;
  if (found.label === 'Approve') play.approvals.add(found.value ?? '');
  play.dice.note(`${users.join()}: ${label} ${found.value ?? ''}`);
  const before = { ...on, shown: on.shown };
  await Promise.all(users.map((it) => play.person(it).press(on, label)));
  // Another device still shows it as it was.
  if (play.dice.share() < 0.15) await play.person(anyone(play)).press(before, label);
}

/** @returns whether there is such a button */
async function pressAny(play: Play, all: readonly Screen[], labels: readonly string[]): Promise<boolean> {
  const offered = all.flatMap((on) => labels.filter((it) => on.offers(it)).map((label) => ({ on, label })));
  const found = play.dice.any(offered);
  if (found) await press(play, someone(play), found.on, found.label);
  return found !== undefined;
}

export async function publish({ dice, desk, published }: Play): Promise<void> {
  for (let left = dice.pick([1, 1, 2, 3, 5, 14, 30]); left > 0; left--) {
    const filters = FILTERS.filter(() => dice.share() < 0.45);
    const title = `${dice.pick(TITLES)} №${published.length}.`;
    const into = filters.length > 0 ? filters : [dice.pick(FILTERS)];
    published.push(desk.market.publish({ title, usOnly: false, ukOnly: false }, into).project);
    dice.note(`publish ${title} ${into.join()}`);
    if (dice.share() < 0.6) desk.app.clock.moveBy(dice.upTo(700));
  }
}

function spoil({ dice, desk }: Play, path: string, times: number): void {
  const effect = dice.pick([...TROUBLE, anotherJob(dice.any(desk.market.jobs)?.id)]);
  dice.note(`fault ${path} ${JSON.stringify(effect)} x${times}`);
  desk.market.fail(path, effect, times);
}

async function openForms(play: Play): Promise<void> {
  const { dice } = play;
  const card = dice.any(newestCards(play));
  if (!card) return;
  await Promise.all(someone(play).map((user) => openForm(play, user, card)));
  await afterwards(play);
  if (dice.share() < 0.6) await submit(play);
}

async function openForm(play: Play, user: string, card: Screen): Promise<void> {
  const { dice, published } = play;
  keepOld(play, user);
  const label = OPENS_FORM.find((it) => card.offers(it));
  if (label !== undefined && dice.share() < 0.75) return press(play, [user], card, label);
  const project = published.find(({ title }) => card.text.includes(title));
  // The app can't know that a redirecting link and an ID mean the same.
  if (!project || play.options.modes?.redirectUrls) return;
  const line = `/gig bid ${dice.pick(namesOf(project))}${dice.pick(['', ' Slow', ' 7'])}`;
  dice.note(`${user}: ${line}`);
  await play.person(user).type(line, dice.pick(['web', 'data']));
}

function keepOld({ desk, oldForms }: Play, user: string): void {
  const view = desk.slack.view(user);
  if (isForm(view)) oldForms.push({ user, view });
}

/** With a letter of its own, which nobody may send twice: not even who sends the form again. */
async function send(play: Play, user: string, view: SlackView, asItWas?: { asItWas: true }) {
  const { dice, desk, sent, published } = play;
  const number = sent.size + 1;
  const { text } = screenOf(desk.slack, () => ({ view }));
  // A view's hash begins with the time when it was shown.
  const shownAt = Math.floor(Number(view.hash.split('.').slice(0, 2).join('.')) * SECOND);
  sent.set(number, { at: desk.app.clock.now(), shownAt, text });
  const project = published.find(({ title }) => text.includes(title));
  const setup = findField(view, 'Bidding setup');
  const isAsked = fieldsOf(view).some(({ label }) => label === PROJECT_FIELD);
  const values = {
    [setup.blockId]: findOption(setup, dice.pick(SETUPS).name),
    [findField(view, 'Cover letter').blockId]: `letter ${number}`,
    ...(isAsked && project ? { [findField(view, PROJECT_FIELD).blockId]: dice.pick(namesOf(project)) } : {}),
  };
  dice.note(`${user} sends letter ${number}`);
  const once = () => desk.slack.submitView({ user, view, values, ...asItWas });
  await play.act(Promise.all(dice.share() < 0.2 ? [once(), once()] : [once()]));
}

async function submit(play: Play): Promise<void> {
  const { dice, desk } = play;
  const user = dice.any(PEOPLE.filter((it) => isForm(desk.slack.view(it))));
  const view = user === undefined ? undefined : desk.slack.view(user);
  if (user === undefined || !view) return openForms(play);
  keepOld(play, user);
  if (dice.share() < 0.45) spoil(play, PATHS.bid, 1);
  await send(play, user, view);
  if (dice.share() < 0.1) desk.slack.cutSockets();
  await afterwards(play);
  if (dice.share() < 0.1) await repeat(play);
}

/** Slack repeats a submission. */
async function repeat({ dice, desk, act }: Play): Promise<void> {
  const all = desk.slack.sentRequests().filter((it) => it.payload['type'] === 'view_submission');
  const request = dice.any(all.slice(-6));
  if (request) await act(desk.slack.resendRequest(request));
}

async function submitOld(play: Play): Promise<void> {
  const old = play.dice.any(play.oldForms.slice(-NEWEST));
  if (!old || play.dice.share() < 0.5) await repeat(play);
  else await send(play, old.user, old.view, { asItWas: true });
  await afterwards(play);
}

async function useForm(play: Play): Promise<void> {
  const form = play.person(anyone(play)).form();
  const labels = [...IN_FORM.filter(() => play.dice.share() < 0.7), play.dice.pick(SETUPS).name];
  const label = labels.find((it) => form.offers(it));
  if (label !== undefined) await form.press(label);
  await afterwards(play);
}

/** Approves, rejects or cancels what waits. */
async function decide(play: Play): Promise<void> {
  const { dice } = play;
  const message = dice.any(play.waiting(NEWEST));
  if (!message) return submit(play);
  const users = dice.share() < 0.4 ? PEOPLE : [anyone(play)];
  const labels = ['Approve', 'Approve', 'Approve', 'Cancel', 'Reject'];
  await Promise.all(users.map((user) => press(play, [user], message, dice.pick(labels))));
  await afterwards(play);
}

async function useBids(play: Play): Promise<void> {
  const requests = play.replies(NEWEST).filter((it) => it.offers('Approve'));
  if (play.dice.share() < 0.3) spoil(play, PATHS.approve, 1);
  if (!(await pressAny(play, [...newestCards(play), ...requests], ON_BIDS))) return submit(play);
  await afterwards(play);
}

/** Opens a job, and approves it there. */
async function openJob(play: Play): Promise<void> {
  const { dice, desk } = play;
  const job = dice.any(desk.market.jobs.slice(-NEWEST));
  if (!job) return;
  const user = anyone(play);
  const answer = await play.person(user).type(`/gig job ${job.id}`, dice.pick(['web', 'data']));
  await desk.pass(2 * SECOND);
  if (dice.share() < 0.5) await press(play, [user], answer, 'Approve');
  await afterwards(play);
}

/** The marketplace advances a job, or a setup reaches its limit. */
async function moveJobs(play: Play): Promise<void> {
  const { dice, desk } = play;
  const { service } = desk.market;
  const job = dice.any(service.jobs().filter(({ status }) => status === 'scheduled'));
  if (job && dice.share() < 0.6) service.updateJob(job.id, dice.pick(ENDS));
  else {
    const exhausted = dice.pick(['monthly limit', undefined]);
    service.updateSetup(dice.pick(SETUPS).id, { exhausted } as object);
  }
  await afterwards(play);
}

async function unsubscribe(play: Play): Promise<void> {
  const [channel, filter] = [changing(play), play.dice.pick(FILTERS)];
  const at = play.desk.app.clock.now();
  const list = await play.say(channel, `list ${filter}`);
  if (!list.offers('Unsubscribe')) return;
  await list.press('Unsubscribe');
  const own = play.findSubscription(channel, filter);
  const listed = await play.list(channel);
  if (own && listed && !listed.includes(filter)) own.endedAt = at;
}

/** Right or wrong, for any filter: no book may show it. */
async function sendHints({ dice, desk, hintSecret, wrongHints }: Play): Promise<void> {
  const isRight = dice.share() < 0.5;
  const filter = dice.pick([...FILTERS, 900]);
  const body = JSON.stringify({ data: [{ filter }] });
  const request = { method: 'POST', body, headers: { 'content-type': 'application/json' } };
  for (let left = dice.pick([1, 1, 2, 40]); left > 0; left--) {
    const address = `${desk.app.address()}/hooks/${hintSecret}${isRight ? '' : 'x'}`;
    const { status } = await globalThis.fetch(address, request);
    if (status !== (isRight ? 200 : 404)) wrongHints.push(`${status} for ${isRight ? 'right' : 'wrong'}`);
  }
}

async function spendOutside(play: Play): Promise<void> {
  if (!play.options.outside) return;
  const credits = 1 + play.dice.upTo(30);
  play.spentOutside += credits;
  play.desk.market.service.spendCreditsElsewhere(credits);
}

async function fillDisk(play: Play): Promise<void> {
  const { dice, desk } = play;
  desk.app.room.full = true;
  await dice.try('on the full disk', () => dice.pick([submit, useBids, useCards])(play));
  await desk.pass(dice.pick([2, 30, 90]) * SECOND);
  desk.app.room.full = false;
}

/** Another move is under way. */
async function kill(play: Play): Promise<void> {
  const { dice, desk } = play;
  const { app, market } = desk;
  if (play.isLasting) return;
  const of = {
    bids: [submit, decide, useBids],
    books: [publish],
    soak: [publish, submit, useBids, useCards],
  };
  const doing = dice.try('meanwhile', () => dice.pick<Move>(of[play.options.about])(play));
  app.clock.moveBy(dice.pick([0, 0, 2, 9, 12]) * SECOND);
  for (let turns = dice.pick([0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89]); turns > 0; turns--)
    await setImmediate();
  dice.note('killed');
  play.kills++;
  await app.kill();
  // Requests of a dead process are never finished.
  market.service.dropConnections();
  app.room.full = false;
  app.clock.moveBy(dice.pick([0, 1, 30]) * SECOND);
  await app.start();
  await doing;
}

const useCards: Move = (play) => pressAny(play, newestCards(play), ON_CARDS);

async function useSummaries(play: Play): Promise<void> {
  const { desk } = play;
  const channel = play.dice.pick(CHANNELS);
  play.endQuiet(channel);
  await pressAny(play, desk.person('ada').reads(channel), SHOW);
}

async function command(play: Play): Promise<void> {
  const person = play.person(anyone(play));
  await person.type(`/gig ${play.dice.pick(COMMANDS)}`, play.dice.pick(CHANNELS));
  await person.close();
}

async function invite({ dice, desk, invitations }: Play): Promise<void> {
  const { service } = desk.market;
  const project = dice.any(service.projects().slice(-NEWEST));
  const title = `Invitation ${invitations.length + 1} of us`;
  const ofProject = project && dice.share() < 0.5 ? { jobPostingUid: project.uid } : {};
  service.addInvitation({ profileId: PROFILE, title, ...ofProject });
  invitations.push(title);
}

/** A proposal is sent; later a client hires for it. */
async function propose({ dice, desk, proposals }: Play): Promise<void> {
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

/** Only in `ops`, whose projects need not be due. */
async function mute(play: Play): Promise<void> {
  const ada = play.person('ada');
  const card = play.dice.any(play.cards('ops', NEWEST).filter((it) => it.offers('Mute')));
  if (!card) return;
  await (await ada.press(card, 'Mute')).send();
  await ada.close();
  if (play.dice.share() < 0.5) await (await play.say('ops', 'list')).press('Unmute');
}

async function buildTemplate(play: Play): Promise<void> {
  const { dice, desk, templates } = play;
  const name = `Template ${templates.size + 1} of us`;
  const ask = () => templates.set(name, (templates.get(name) ?? 0) + 1);
  const ben = play.person('ben');
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

const spoilFeeds: Move = async (play) => {
  const { dice } = play;
  const path = dice.pick([PATHS.projects, PATHS.projects, PATHS.lookup, '/filters/101/projects']);
  spoil(play, path, dice.pick([1, 1, 2, 3, 6, 25]));
  await play.desk.pass(dice.pick([0, 3, 14]) * SECOND);
};
const spoilBids: Move = async (play) => spoil(play, play.dice.pick(BIDDING), play.dice.pick([1, 1, 1, 2, 4]));
const spoilSlack: Move = async ({ dice, desk, slackFaults }) => {
  const method = dice.pick(['chat.postMessage', dice.pick(SLACK_METHODS)]);
  const effect = dice.pick(SLACK_TROUBLE);
  dice.note(`Slack fault ${method} ${JSON.stringify(effect)}`);
  slackFaults.push(desk.slack.injectFault(method, effect, dice.pick([1, 2, 3])));
};
const subscribe: Move = (play) =>
  play.subscribe(changing(play), play.dice.pick(FILTERS), play.dice.pick(RULES));
const beQuiet: Move = async (play) => {
  await play.beQuiet(play.dice.pick(CHANNELS), play.dice.pick([null, 2, 6, 6]));
  await publish(play);
  await play.desk.pass(30 * SECOND);
};
const wait: Move = ({ dice, desk }) =>
  desk.pass(dice.pick([1, 5, 11, 25, 60, 130, 720]) * SECOND + dice.upTo(900));
const say = (line: (play: Play) => string): Move => {
  return (play) => play.say(play.dice.pick(CHANNELS), line(play));
};

interface Weights {
  readonly bids?: number;
  readonly books?: number;
  readonly soak?: number;
}

/** How often each comes. */
export const MOVES: readonly (readonly [Weights, string, Move])[] = [
  [{ bids: 18, soak: 6 }, 'forms', openForms],
  [{ bids: 24, soak: 10 }, 'a bid', submit],
  [{ bids: 4, soak: 2 }, 'an old form', submitOld],
  [{ bids: 6, soak: 4 }, 'a press in a form', useForm],
  [{ bids: 15 }, 'a decision', decide],
  [{ bids: 10, soak: 6 }, 'a press on a bid', useBids],
  [{ bids: 5, soak: 2 }, 'a job', openJob],
  [{ bids: 4, soak: 3 }, 'a job moves on', moveJobs],
  [{ bids: 3, soak: 1 }, 'closed forms', (play) => play.person(anyone(play)).close()],
  [{ bids: 5, soak: 3 }, 'a fault of bidding', spoilBids],
  [{ books: 22, soak: 19 }, 'projects', publish],
  [{ books: 10, soak: 2 }, 'a budget', say(({ dice }) => `budget ${dice.pick(BUDGETS)}`)],
  [{ books: 10, soak: 2 }, 'a subscription', subscribe],
  [{ books: 3, soak: 1 }, 'an end of a subscription', unsubscribe],
  [{ books: 9, soak: 2 }, 'quiet hours', beQuiet],
  [{ books: 5, soak: 2 }, 'a pause', say(({ dice }) => `pause ${dice.pick(['', '3m', 'off', 'off'])}`)],
  [{ books: 5, soak: 1 }, 'a lookup', say((play) => `lookup ${anyOf(play)}`)],
  [{ books: 8, soak: 4 }, 'a fault of the feed', spoilFeeds],
  [{ books: 4, soak: 3 }, 'hints', sendHints],
  [{ books: 2 }, 'credits spent elsewhere', spendOutside],
  [{ books: 6, soak: 11 }, 'a press on a card', useCards],
  [{ bids: 6, books: 7, soak: 4 }, 'a fault of Slack', spoilSlack],
  [{ bids: 3, books: 1 }, 'a full disk', fillDisk],
  [{ bids: 9, books: 5, soak: 5 }, 'a kill', kill],
  [{ bids: 7, books: 20 }, 'some time', wait],
  [{ soak: 3 }, 'a summary', useSummaries],
  [{ soak: 9 }, 'a command', command],
  [{ soak: 3 }, 'Home', (play) => play.person(anyone(play)).home()],
  [{ soak: 3 }, 'an invitation', invite],
  [{ soak: 4 }, 'a proposal', propose],
  [{ soak: 2 }, 'a mute', mute],
  [{ soak: 1 }, 'a template', buildTemplate],
];

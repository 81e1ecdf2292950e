/** What people and the marketplace do with bids in a play. */
import { SECOND } from '../../src/clock.ts';
import type { SimulatedJob } from '../../src/workbench/marketplace/records.ts';
import type { ProjectWithFilterIds } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import type { SlackView } from '../../src/workbench/slack/simulated-slack.ts';
import { fieldsOf, findField, findOption, type Screen, screenOf } from '../kit/read-screen.ts';
import { PATHS } from '../kit/start-desk.ts';
import type { Play } from './play.ts';
import {
  afterwards,
  anyone,
  type Move,
  NEWEST,
  newestCards,
  press,
  pressAny,
  someone,
  spoil,
} from './press.ts';
import { PEOPLE, SETUPS } from './scene.ts';

const PROJECT_FIELD = 'Project link or ~ID';
const OPENS_FORM = ['Try Again', 'Bid', 'Bid with another setup'];
const IN_FORM = ['Check', 'Open Again', 'Try Again', 'Reload', 'Start Over', 'In 15', 'Look Up'];
const ON_BIDS = ['Approve', 'Check', 'Refresh', 'Proposal'];
const ENDS: readonly Partial<SimulatedJob>[] = [
  { status: 'processing' },
  { status: 'failed', errorMessage: 'Out of connects' },
  { status: 'skipped', reason: 'The daily limit is reached' },
];
const BIDDING = [PATHS.bid, PATHS.approve, PATHS.bidStatus, '/auto-bidding/setups', PATHS.lookup];

/** How people name a project. */
export function namesOf({ ciphertext, url, uid }: ProjectWithFilterIds): readonly string[] {
  return [ciphertext, ciphertext.slice(1), url, uid];
}

function isForm(view: SlackView | undefined): view is SlackView {
  return view?.submit === 'Send Bid';
}

export async function openForms(play: Play): Promise<void> {
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

export async function submit(play: Play): Promise<void> {
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

export async function submitOld(play: Play): Promise<void> {
  const old = play.dice.any(play.oldForms.slice(-NEWEST));
  if (!old || play.dice.share() < 0.5) await repeat(play);
  else await send(play, old.user, old.view, { asItWas: true });
  await afterwards(play);
}

export async function useForm(play: Play): Promise<void> {
  const form = play.person(anyone(play)).form();
  const labels = [...IN_FORM.filter(() => play.dice.share() < 0.7), play.dice.pick(SETUPS).name];
  const label = labels.find((it) => form.offers(it));
  if (label !== undefined) await form.press(label);
  await afterwards(play);
}

/** Approves, rejects or cancels what waits. */
export async function decide(play: Play): Promise<void> {
  const { dice } = play;
  const message = dice.any(play.waiting(NEWEST));
  if (!message) return submit(play);
  const users = dice.share() < 0.4 ? PEOPLE : [anyone(play)];
  const labels = ['Approve', 'Approve', 'Approve', 'Cancel', 'Reject'];
  await Promise.all(users.map((user) => press(play, [user], message, dice.pick(labels))));
  await afterwards(play);
}

export async function useBids(play: Play): Promise<void> {
  const requests = play.replies(NEWEST).filter((it) => it.offers('Approve'));
  if (play.dice.share() < 0.3) spoil(play, PATHS.approve, 1);
  if (!(await pressAny(play, [...newestCards(play), ...requests], ON_BIDS))) return submit(play);
  await afterwards(play);
}

/** Opens a job, and approves it there. */
export async function openJob(play: Play): Promise<void> {
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
export async function moveJobs(play: Play): Promise<void> {
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

export const spoilBids: Move = async (play) =>
  spoil(play, play.dice.pick(BIDDING), play.dice.pick([1, 1, 1, 2, 4]));

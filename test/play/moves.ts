/** What people, tools and the services do in a play. A move may fail: faults break whatever they like. */
import { setImmediate } from 'node:timers/promises';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { PATHS } from '../kit/start-desk.ts';
import { fillTemplate } from '../kit/template-play.ts';
import {
  decide,
  moveJobs,
  openForms,
  openJob,
  spoilBids,
  submit,
  submitOld,
  useBids,
  useForm,
} from './bid-moves.ts';
import type { Play } from './play.ts';
import { anyone, type Move, NEWEST, newestCards, pressAny, spoil } from './press.ts';
import { CHANNELS, FILTERS, PROFILE, SHOW } from './scene.ts';
import { SLACK_METHODS, SLACK_TROUBLE, TROUBLE } from './troubles.ts';

const ON_CARDS = ['Claim', 'Claim', 'Release', 'Details', 'Skip', 'Undo Skip', 'Follow Up', 'Refresh'];
const TITLES = ['A lion tamer', 'A zebra rider', 'A bear trainer'];
const RULES = ['', '', '-zebra', 'lion'];
const BUDGETS = ['0', '9', '10', '15', '25', '60', '200', 'off'];
const COMMANDS = (
  'status|list|budget|stats 30|help|audit|setups|results 101|proposals is:hired|template drafts|' +
  'digest|digest now|subscribe filter nowhere|lookup nothing|settings|access'
).split('|');

/** In a soak, only `ops` changes: in the other channels, every project stays due. */
const changing = ({ dice, options }: Play) => (options.about === 'soak' ? 'ops' : dice.pick(CHANNELS));
const anyOf = ({ dice, published }: Play) => dice.any(published)?.ciphertext ?? '~0';

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
const spoilSlack: Move = async ({ dice, desk, slackFaults }) => {
  const method = dice.pick(['chat.postMessage', dice.pick(SLACK_METHODS)]);
  const effect = dice.pick(SLACK_TROUBLE);
  dice.note(`Slack fault ${method} ${JSON.stringify(effect)}`);
  slackFaults.push(desk.slack.injectFault(method, effect, dice.pick([1, 2, 3])));
};
const subscribe: Move = (play) =>
  play.subscribe(changing(play), play.dice.pick(FILTERS), play.dice.pick(RULES));
const beQuiet: Move = async (play) => {
  await play.beQuiet(play.dice.pick(['web', 'web', ...CHANNELS]), play.dice.pick([null, 2, 6, 6]));
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

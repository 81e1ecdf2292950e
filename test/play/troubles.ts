/**
 * What fails in a play: single requests, and storms: outages, cuts, a full disk, wrong clocks, restarts.
 */
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { type MarketplaceFaultEffect, presetFaults } from '../../src/workbench/marketplace/faults.ts';
import type { SlackFaultEffect as SlackFault } from '../../src/workbench/slack/simulated-slack.ts';
import type { Play } from './play.ts';
import { FOR_A_TIME } from './services.ts';

/** Of the marketplace, as a whole. */
const OUTAGES: readonly MarketplaceFaultEffect[] = [
  presetFaults.rateLimited(),
  presetFaults.rateLimited('7'),
  presetFaults.status(500),
  presetFaults.html(502),
  { kind: 'drop', when: 'before' },
  { kind: 'drop', when: 'after' },
  { kind: 'hold-headers', ms: 9 * SECOND },
  { kind: 'hold-body', ms: 40 * SECOND },
];
/** Of one of its requests. */
export const TROUBLE: readonly MarketplaceFaultEffect[] = [
  ...OUTAGES,
  { kind: 'drop', when: 'after' },
  { kind: 'break-body' },
  { kind: 'hold-headers' },
  { kind: 'hold-headers', ms: 12 * SECOND },
  presetFaults.status(404),
  presetFaults.status(400, 'This client takes no bids'),
  presetFaults.status(402, 'Insufficient credits'),
  presetFaults.errorAfterEffect(500),
  presetFaults.errorAfterEffect(502),
  presetFaults.wrongJson(),
  { kind: 'answer', status: 200, text: '<html>', carriedOut: true },
];
/** A rejection that names a job, possibly of another project. */
export function anotherJob(id: number | undefined): MarketplaceFaultEffect {
  const json = { success: false, error: 'Another job is in the way', job_id: id };
  return { kind: 'answer', status: 400, json };
}

export const SLACK_TROUBLE: readonly SlackFault[] = [
  { kind: 'ratelimited', retryAfterS: 20 },
  { kind: 'status', status: 500, when: 'before' },
  { kind: 'status', status: 500, when: 'after' },
  { kind: 'drop', when: 'before' },
  { kind: 'drop', when: 'after' },
  { kind: 'broken-json', when: 'after' },
];
export const SLACK_METHODS: readonly string[] = [
  'chat.postMessage',
  'chat.postMessage',
  'chat.update',
  'chat.postEphemeral',
  'views.update',
  'views.update',
  'views.open',
  'response_url',
  'users.info',
  'conversations.history',
];
/**
 * Fields that a marketplace record may lack for a time. Excluded are its id and the fields that the checks
 * use: a project's title and date, a setup's name.
 */
const LACKING: readonly (readonly string[])[] = [
  ['description', 'skills', 'budget', 'clientDetails', 'clientQuestions'],
  ['credits'],
  ['remaining', 'new_projects_consumed', 'total_projects_returned'],
  ['reset_date'],
  ['pagination'],
  ['is_last', 'next_cursor', 'latest_published_ts', 'total', 'pages'],
  ['qualification', 'country', 'rating'],
  ['status', 'status_title', 'scheduled_at', 'setup_id'],
  ['applicationUid', 'submittedAt', 'jobDetails'],
  ['invitedAt', 'statusLabel', 'invitationLetter'],
];
/** The app's clock is never further from Slack's. `npm run doctor` warns of less. */
export const WRONG_AT_MOST_MS = 40 * SECOND;

type Storm = (play: Play) => Promise<string> | string;

const STORMS: readonly Storm[] = [
  ({ dice, desk }) => {
    const [effect, times] = [dice.pick(OUTAGES), dice.pick([5, 20, 60])];
    desk.market.service.injectFault({}, effect, times);
    return `the marketplace: ${JSON.stringify(effect)} x${times}`;
  },
  ({ dice, desk, slackFaults }) => {
    const effect = dice.pick<SlackFault>([...SLACK_TROUBLE, { kind: 'hold', ms: 4 * SECOND }]);
    const times = dice.pick([3, 10, 30]);
    slackFaults.push(desk.slack.injectFault(dice.pick(['chat.postMessage', 'chat.*']), effect, times));
    return `Slack: ${JSON.stringify(effect)} x${times}`;
  },
  ({ desk }) => {
    desk.slack.cutSockets();
    return 'the websocket is cut';
  },
  async ({ dice, desk }) => {
    desk.slack.refuseSockets('internal_error');
    desk.slack.cutSockets();
    await desk.app.pass(dice.pick([5, 40, 200]) * SECOND, SECOND);
    desk.slack.refuseSockets(undefined);
    return 'Slack took no websocket for a while';
  },
  async ({ dice, desk: { app } }) => {
    app.room.full = true;
    await app.pass(dice.pick([1, 5, 20]) * MINUTE, SECOND);
    app.room.full = false;
    return 'the disk was full for a while';
  },
  async ({ dice, desk: { app } }) => {
    const [mode, fields] = [dice.pick(FOR_A_TIME), dice.pick(LACKING)];
    app.marketplace.setModes({ [mode]: fields });
    await app.pass(dice.pick([1, 5, 20]) * MINUTE, SECOND);
    app.marketplace.setModes({ [mode]: false });
    return `${mode} for a while: ${fields.join()}`;
  },
  ({ dice, desk }) => {
    const ms = dice.pick([MINUTE, 10 * MINUTE, 3 * HOUR]);
    desk.app.clock.simulateMachineSleep(ms);
    return `the machine slept for ${ms / MINUTE} min`;
  },
  async ({ dice, desk: { app } }) => {
    app.skew.ms = dice.pick([0, 0, 5 * SECOND, -5 * SECOND, WRONG_AT_MOST_MS, -WRONG_AT_MOST_MS]);
    // A start within a minute of it takes it for elapsed time: see docs/decisions/0011-testing.md.
    await app.pass(2 * MINUTE);
    return `the clock is set wrong by ${app.skew.ms / SECOND} s`;
  },
  async ({ isLasting, desk: { app } }) => {
    if (isLasting) return 'no restart';
    await app.end();
    await app.start();
    return 'a restart';
  },
];

/** At random, but each kind before any repeats: a short soak has them all, too. */
export class Storms {
  /** The number of kinds. */
  static readonly kinds = STORMS.length;
  #left: readonly Storm[] = [];

  async befall(play: Play): Promise<void> {
    if (this.#left.length === 0) this.#left = STORMS;
    const storm = play.dice.pick(this.#left);
    this.#left = this.#left.filter((it) => it !== storm);
    play.dice.note(await storm(play));
    await play.desk.pass(play.dice.pick([0, 3 * SECOND, MINUTE]));
  }
}

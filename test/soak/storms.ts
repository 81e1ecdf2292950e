/**
 * Larger faults of a soak besides the simulations' single ones: storms, cuts, a full disk, wrong clocks,
 * restarts.
 */
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { type MarketplaceFaultEffect, presetFaults } from '../../src/workbench/marketplace/faults.ts';
import type { SlackFaultEffect as SlackFault } from '../../src/workbench/slack/simulated-slack.ts';
import type { RunningApp } from '../kit/run-app.ts';
import type { Dice } from './dice.ts';
import { FOR_A_TIME } from './service.ts';

const MARKET_STORMS: readonly MarketplaceFaultEffect[] = [
  presetFaults.rateLimited(),
  presetFaults.rateLimited('20'),
  presetFaults.status(500),
  presetFaults.status(503),
  presetFaults.html(502),
  { kind: 'drop', when: 'before' },
  { kind: 'drop', when: 'after' },
  { kind: 'hold-headers', ms: 9 * SECOND },
  { kind: 'hold-body', ms: 20 * SECOND },
];
const SLACK_STORMS: readonly SlackFault[] = [
  { kind: 'ratelimited', retryAfterS: 30 },
  { kind: 'status', status: 500, when: 'before' },
  { kind: 'status', status: 503, when: 'after' },
  { kind: 'drop', when: 'before' },
  { kind: 'drop', when: 'after' },
  { kind: 'hold', ms: 4 * SECOND },
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

type Storm = (app: RunningApp, dice: Dice) => Promise<string> | string;

/** By name, so that a step shows its kind. */
const STORMS: readonly Storm[] = [
  ({ marketplace }, dice) => {
    const [effect, times] = [dice.pick(MARKET_STORMS), dice.pick([5, 20, 60])];
    marketplace.injectFault({}, effect, times);
    return `the marketplace: ${JSON.stringify(effect)} x${times}`;
  },
  ({ slack }, dice) => {
    const [effect, times] = [dice.pick(SLACK_STORMS), dice.pick([3, 10, 30])];
    slack.injectFault(dice.pick(['chat.postMessage', 'chat.*']), effect, times);
    return `Slack: ${JSON.stringify(effect)} x${times}`;
  },
  ({ slack }) => {
    slack.cutSockets();
    return 'the websocket is cut';
  },
  async (app, dice) => {
    app.slack.refuseSockets('internal_error');
    app.slack.cutSockets();
    await app.pass(dice.pick([5, 40, 200]) * SECOND, SECOND);
    app.slack.refuseSockets(undefined);
    return 'Slack took no websocket for a while';
  },
  async (app, dice) => {
    app.room.full = true;
    await app.pass(dice.pick([1, 5, 20]) * MINUTE, SECOND);
    app.room.full = false;
    return 'the disk was full for a while';
  },
  async (app, dice) => {
    const [mode, fields] = [dice.pick(FOR_A_TIME), dice.pick(LACKING)];
    app.marketplace.setModes({ [mode]: fields });
    await app.pass(dice.pick([1, 5, 20]) * MINUTE, SECOND);
    app.marketplace.setModes({ [mode]: false });
    return `${mode} for a while: ${fields.join()}`;
  },
  (app, dice) => {
    const ms = dice.pick([MINUTE, 10 * MINUTE, 3 * HOUR]);
    app.clock.simulateMachineSleep(ms);
    return `the machine slept for ${ms / MINUTE} min`;
  },
  async (app, dice) => {
    app.skew.ms = dice.pick([0, 0, 5 * SECOND, -5 * SECOND, WRONG_AT_MOST_MS, -WRONG_AT_MOST_MS]);
    // A start within a minute of it takes it for elapsed time: see 0016-testing.md.
    await app.pass(2 * MINUTE);
    return `the clock is set wrong by ${app.skew.ms / SECOND} s`;
  },
  async (app) => {
    await app.end();
    await app.start();
    return 'a restart';
  },
];

/** At random, but each kind before any repeats: a short run has them all, too. */
export class Storms {
  /** The number of kinds. */
  static readonly kinds = STORMS.length;
  #left: readonly Storm[] = [];

  async befall(app: RunningApp, dice: Dice): Promise<void> {
    if (this.#left.length === 0) this.#left = STORMS;
    const storm = dice.pick(this.#left);
    this.#left = this.#left.filter((it) => it !== storm);
    dice.note(await storm(app, dice));
    await app.pass(dice.pick([0, 3 * SECOND, MINUTE]));
  }
}

/** Ends all faults and modes, except Slack faults already ordered for the next call. */
export function clearUp(app: RunningApp): void {
  app.marketplace.clearFaults();
  app.slack.refuseSockets(undefined);
  app.room.full = false;
  app.skew.ms = 0;
}

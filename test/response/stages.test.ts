/** The table of stages, alone and over the life of a card under a clock that jumps. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/clock.ts';
import { defaultChannelSettings } from '../../src/feed/records.ts';
import { ChannelId, UserId } from '../../src/ids.ts';
import { type Post, PostId } from '../../src/outbox/posts.ts';
import { createClockRules, newClock, stepClock } from '../../src/response/clocks.ts';
import type { ResponseClock } from '../../src/response/records.ts';
import { DEFAULT_RESPONSE_PLAN, type ResponsePlan } from '../../src/response/response.ts';
import {
  decideStage,
  FREE,
  findClaimExpiry,
  findClockStart,
  type StageState,
  stageKey,
} from '../../src/response/stages.ts';
import type { WatchedCard } from '../../src/response/watched-cards.ts';
import { isWorkingTime } from '../../src/response/working-time.ts';

const NOW = Date.parse('2026-03-23T10:00:00Z');
const ALWAYS: ResponsePlan = {
  ...DEFAULT_RESPONSE_PLAN,
  isOn: true,
  hours: undefined,
  days: [1, 2, 3, 4, 5, 6, 7],
};
const WORK = { days: ALWAYS.days, timezone: 'UTC' };
const free: StageState = { phase: FREE, since: NOW, extended: 0, sent: [] };
const claimed: StageState = { phase: 'claim U1 1', since: NOW, extended: 0, sent: [] };

describe('the stage that is due', () => {
  it.each<[string, StageState, number, string]>([
    ['none before the first', free, 9, 'wait'],
    ['the nudge', free, 10, 'nudge'],
    ['only the lead when both are late', free, 25, 'lead'],
    ['none twice', { ...free, sent: ['nudge'] }, 15, 'wait'],
    ['none before one that was sent', { ...free, sent: ['lead'] }, 30, 'done'],
    ['none while snoozed', { ...free, sent: ['nudge'], snoozedUntil: NOW + 40 * MINUTE }, 25, 'wait'],
    ['the lead after the snooze', { ...free, sent: ['nudge'], snoozedUntil: NOW + 40 * MINUTE }, 40, 'lead'],
    ['the lead a day late', free, 20 + 24 * 60, 'lead'],
    ['none more than a day late', free, 21 + 24 * 60, 'pass'],
    ['none of a claim before its warning', claimed, 49, 'wait'],
    ['the warning of a claim', claimed, 50, 'warning'],
    ['the warning, snoozed or not', { ...claimed, snoozedUntil: NOW + HOUR }, 50, 'warning'],
    ['its end', { ...claimed, sent: ['warning:claim U1 1:0'] }, 60, 'expiry'],
    ['its end alone, after a downtime', claimed, 3 * 24 * 60, 'expiry'],
    [
      'the warning again after it was extended',
      { ...claimed, extended: 1, sent: ['warning:claim U1 1:0'] },
      50,
      'warning',
    ],
  ])('is %s', (_, state, minutes, expected) => {
    const decision = decideStage(state, ALWAYS, WORK, NOW + minutes * MINUTE);
    expect(decision.kind === 'due' ? decision.stage : decision.kind).toBe(expected);
  });

  it('is the warning of a short claim after half of it', () => {
    const short = { ...ALWAYS, claimExpiry: 10 };
    expect(decideStage(claimed, short, WORK, NOW)).toEqual({ kind: 'wait', until: NOW + 5 * MINUTE });
  });

  it('waits for the morning if the job ran too late for this evening', () => {
    const office = { ...WORK, hours: { from: 9 * 60, to: 10 * 60 + 15 } };
    const morning = { kind: 'wait', until: NOW + 23 * HOUR };
    expect(decideStage(free, ALWAYS, office, NOW + 30 * MINUTE)).toEqual(morning);
  });

  it('is none of a claim that never expires', () => {
    expect(findClaimExpiry(NOW, ALWAYS, WORK)).toBe(NOW + HOUR);
    expect(findClaimExpiry(NOW, { ...ALWAYS, claimExpiry: 0 }, WORK)).toBeUndefined();
    expect(decideStage(claimed, { ...ALWAYS, claimExpiry: 0 }, WORK, NOW + DAY)).toEqual({ kind: 'done' });
  });
});

it('the clock of a card that came late begins with the card', () => {
  expect(findClockStart(NOW - MINUTE, NOW)).toBe(NOW - MINUTE);
  expect(findClockStart(NOW - 5 * MINUTE, NOW)).toBe(NOW - 5 * MINUTE);
  expect(findClockStart(NOW - HOUR, NOW)).toBe(NOW);
  expect(findClockStart(NOW + HOUR, NOW)).toBe(NOW);
  expect(findClockStart(undefined, NOW)).toBe(NOW);
});

const channel = ChannelId.parse('C1');
const post = PostId.parse('card:C1:~01');

/** What may happen between two runs of the job: real time passes, the wall clock jumps, people act. */
const event = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 40 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('jump' as const), minutes: fc.integer({ min: -600, max: 0 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('claim' as const, 'release' as const, 'extend' as const),
      minutes: fc.constant(0),
    }),
  },
);

const plan = fc.record({
  nudgeAfter: fc.integer({ min: 1, max: 60 }),
  leadAfter: fc.integer({ min: 1, max: 60 }),
  claimExpiry: fc.constantFrom(0, 5, 30, 90),
  hours: fc.constantFrom(undefined, { from: 540, to: 1020 }, { from: 1320, to: 360 }),
  days: fc.constantFrom<number[]>([1, 2, 3, 4, 5, 6, 7], [1, 3, 5]),
});

/** A card's life: real time and the wall clock, which may be set back. */
class Life {
  readonly keys: string[] = [];
  readonly #plan: ResponsePlan;
  #wall = NOW;
  #real = NOW;
  #clock: ResponseClock = newClock(channel, post, NOW);
  #claim: WatchedCard['claim'];
  #wasClaimed = false;
  /** In real time. */
  #phaseBegan = NOW;

  constructor(own: ResponsePlan) {
    this.#plan = own;
    this.#run();
  }

  pass(minutes: number): void {
    for (let each = 0; each < minutes; each++) {
      this.#wall += MINUTE;
      this.#real += MINUTE;
      this.#run();
    }
  }

  jump(minutes: number): void {
    this.#wall += minutes * MINUTE;
    this.#run();
  }

  act(kind: 'claim' | 'release' | 'extend'): void {
    if (kind === 'release') this.#claim = undefined;
    if (kind === 'claim' && !this.#claim) {
      this.#claim = { by: UserId.parse('U1'), at: this.#wall };
      this.#wasClaimed = true;
    }
    if (kind === 'extend' && this.#claim && this.#clock.phase !== FREE) {
      this.#clock = { ...this.#clock, since: this.#wall, extended: this.#clock.extended + 1 };
      this.#phaseBegan = this.#real;
    }
    this.#run();
  }

  #card(): WatchedCard {
    return {
      of: 'project',
      post: { id: post } as Post,
      title: '',
      claim: this.#claim,
      wasClaimed: this.#wasClaimed,
      startsAt: NOW,
      state: 'open',
      isBidding: false,
      release: () => Promise.resolve(),
    };
  }

  #run(): void {
    const rules = createClockRules(this.#plan, defaultChannelSettings(channel), 'UTC', this.#wall);
    const { phase } = this.#clock;
    const step = stepClock(this.#clock, this.#card(), rules);
    this.#clock = step.clock;
    if (step.clock.phase !== phase) this.#phaseBegan = this.#real;
    if (step.kind !== 'due') return;
    const { nudgeAfter, leadAfter, claimExpiry } = this.#plan;
    const due = { nudge: nudgeAfter, lead: nudgeAfter + leadAfter, warning: 1, expiry: claimExpiry };
    expect(isWorkingTime(this.#wall, rules.work), 'within working hours').toBe(true);
    // To the minute: a phase begins when the job sees it.
    expect(this.#real - this.#phaseBegan).toBeGreaterThanOrEqual((due[step.stage] - 1) * MINUTE);
    this.keys.push(stageKey(step.stage, step.clock));
    if (step.stage === 'expiry') this.#claim = undefined;
  }
}

it('over a life and clocks set back: each stage once, none early, none outside working hours', () => {
  let stages = 0;
  fc.assert(
    fc.property(plan, fc.array(event, { maxLength: 60 }), (chosen, events) => {
      const life = new Life({ ...ALWAYS, ...chosen });
      for (const { kind, minutes } of events) {
        if (kind === 'jump') life.jump(minutes);
        else if (kind === 'pass') life.pass(minutes);
        else life.act(kind);
      }
      stages += life.keys.length;
      expect(new Set(life.keys).size, life.keys.join()).toBe(life.keys.length);
    }),
    { numRuns: 200 },
  );
  expect(stages).toBeGreaterThan(100);
});

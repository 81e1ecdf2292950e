/** The words of pictures: the title says the message, and the alt text says it to whoever can't see. */
import { describe, expect, it } from 'vitest';
import { DAY } from '../../src/clock.ts';
import { describePicture } from '../../src/pictures/describe-picture.ts';
import { burn, dense, funnel, hours, startsAt } from './samples.ts';

describe('spending', () => {
  it('is told against the budget and an even pace', () => {
    expect(describePicture(burn({ limit: 500, runsOutAt: startsAt + 18 * DAY }))).toEqual({
      title: '412 of 500 credits spent, 82%',
      subtitle: 'An even pace would be 50% · runs out on 19 Nov · resets on 1 Dec',
      alt: 'Credits by 16 Nov: 412 of 500 credits spent, 82%. An even pace would be 50%; runs out on 19 Nov; resets on 1 Dec.',
    });
  });

  it('has dates of the time zone that was asked for', () => {
    const at = { limit: 500, runsOutAt: startsAt + 18 * DAY, timezone: 'UTC' };
    expect(describePicture(burn(at)).subtitle).toContain('runs out on 18 Nov · resets on 30 Nov');
  });

  it('counts only what was spent by now', () => {
    const later = { at: startsAt + 20 * DAY, total: 490 };
    const spent = [...burn().spent, later];
    expect(describePicture(burn({ limit: 500, spent })).title).toBe('412 of 500 credits spent, 82%');
  });

  it.each([
    [{}, '412 credits spent', 'No budget is set · the period ends on 1 Dec'],
    [
      { limit: 412 },
      '412 of 412 credits spent, 100%',
      'An even pace would be 50% · used up, resets on 1 Dec',
    ],
    [
      { limit: 41 },
      '412 of 41 credits spent, 1,005%',
      'An even pace would be 50% · used up, resets on 1 Dec',
    ],
    [{ limit: 0 }, '412 credits spent, the budget is 0', 'Nothing can be bought · resets on 1 Dec'],
    [
      { limit: 500, spent: [] },
      'None of 500 credits spent yet',
      'An even pace would be 50% · resets on 1 Dec',
    ],
    [{ limit: 413 }, '412 of 413 credits spent, >99%', 'An even pace would be 50% · resets on 1 Dec'],
    [{ limit: 12_345_678 }, '412 of 12.3M credits spent, <1%', 'An even pace would be 50% · resets on 1 Dec'],
  ])('%j', (more, title, subtitle) => {
    expect(describePicture(burn(more))).toMatchObject({ title, subtitle });
  });
});

describe('the funnel', () => {
  it('says how many proposals a hire takes', () => {
    expect(describePicture(funnel())).toEqual({
      title: '9 hires from 412 proposals in 30 days',
      subtitle: '1 interview in 9 proposals · 1 hire in 46 proposals',
      alt: '9 hires from 412 proposals in 30 days: 187 viewed (45%), 46 interviewed (11%), 9 hired (2%).',
    });
  });

  it.each([
    [{ sent: 0, viewed: 0, interviewed: 0, hired: 0 }, 'No proposals sent in 30 days'],
    [{ sent: 1, viewed: 1, interviewed: 1, hired: 1, days: 1 }, '1 hire from 1 proposal in 1 day'],
    [{ sent: 1_200, hired: 0 }, 'No hire from 1,200 proposals in 30 days'],
  ])('%j', (more, title) => {
    expect(describePicture(funnel(more)).title).toBe(title);
  });

  it('counts them where more than half of the proposals lead there', () => {
    expect(describePicture(funnel({ sent: 4, viewed: 4, interviewed: 3, hired: 1 })).subtitle).toBe(
      '3 interviews in 4 proposals · 1 hire in 4 proposals',
    );
  });

  it('speaks of no interview rather than of one in infinitely many', () => {
    expect(describePicture(funnel({ interviewed: 0, hired: 0 })).subtitle).toBe(
      '187 viewed, no interview yet',
    );
  });
});

describe('the hours', () => {
  const tuesday = { day: 1, hour: 14, count: 9 };
  const wednesday = { day: 2, hour: 9, count: 9 };
  const friday = { day: 4, hour: 0, count: 5 };
  const sunday = { day: 6, hour: 23, count: 5 };

  it('name the busiest, and what comes next', () => {
    expect(describePicture(hours(tuesday, friday))).toEqual({
      title: 'Busiest hour: Tue 14:00, 9 projects',
      subtitle: 'Then Fri 00:00 · 14 projects in 30 days',
      alt: 'Busiest hour: Tue 14:00, 9 projects. Then Fri 00:00 · 14 projects in 30 days. Hours in Europe/Berlin.',
    });
  });

  it('name two that are equally busy', () => {
    expect(describePicture(hours(tuesday, wednesday))).toMatchObject({
      title: 'Busiest: Tue 14:00 and Wed 09:00',
      subtitle: '9 projects each · 18 projects in 30 days',
    });
  });

  it('name nobody third where two are', () => {
    const { subtitle } = describePicture(hours(tuesday, { ...wednesday, count: 7 }, friday, sunday));
    expect(subtitle).toBe('Then Wed 09:00 · 26 projects in 30 days');
  });

  it.each([
    [hours(), 'No projects in 30 days', 'When the next ones come will stand here'],
    [hours({ ...friday, count: 1 }), '1 project in 30 days', 'At Fri 00:00'],
    [
      hours(...[1, 2, 3, 4].map((day) => ({ day, hour: 3, count: 1 }))),
      '4 projects in 30 days',
      'Never two in the same hour of the week',
    ],
    [
      hours(...[1, 2, 3, 4].map((day) => ({ day, hour: 3, count: 2 }))),
      '8 projects in 30 days',
      'Busiest: 4 hours of the week, with 2 each',
    ],
  ])('say what there is to say of few', (picture, title, subtitle) => {
    expect(describePicture(picture)).toMatchObject({ title, subtitle });
  });

  it('add up to all projects', () => {
    const all = dense.counts.flat().reduce((sum, count) => sum + count, 0);
    expect(describePicture(dense).alt).toContain(`${all.toLocaleString('en-US')} projects in 30 days`);
  });
});

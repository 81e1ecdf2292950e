/** The texts of charts: the title states the message, and so does the alt text. */
import { describe, expect, it } from 'vitest';
import { DAY } from '../../src/clock.ts';
import { describeChart } from '../../src/pictures/describe-chart.ts';
import { burn, dense, funnel, hours, startsAt } from './samples.ts';

describe('spending', () => {
  it('is told against the budget and an even pace', () => {
    const words = describeChart(burn({ limit: 500, runsOutAt: startsAt + 18 * DAY }));
    expect(words).toMatchSnapshot();
    expect(words).toEqual({
      title: expect.stringMatching(/412 of 500 .*82%/u),
      subtitle: expect.stringMatching(/50%.*Nov 19.*Dec 1/u),
      alt: expect.stringMatching(/Nov 16.*412 of 500 .*82%.*50%.*Nov 19.*Dec 1/u),
    });
  });

  it('has dates of the time zone that was asked for', () => {
    const at = { limit: 500, runsOutAt: startsAt + 18 * DAY, timezone: 'UTC' };
    expect(describeChart(burn(at)).subtitle).toMatch(/ Nov 18 .* Nov 30$/u);
  });

  it('counts only what was spent by now', () => {
    const later = { at: startsAt + 20 * DAY, total: 490 };
    const spent = [...burn().spent, later];
    expect(describeChart(burn({ limit: 500, spent })).title).toMatch(/412 of 500 .*82%/u);
  });

  it.each([
    [{}, [/412/u, /Dec 1/u]],
    [{ limit: 412 }, [/412 of 412 .*100%/u, /50%.*Dec 1/u]],
    [{ limit: 41 }, [/412 of 41 .*1,005%/u, /50%.*Dec 1/u]],
    [{ limit: 0 }, [/412.*\b0\b/u, /Dec 1/u]],
    [{ limit: 500, spent: [] }, [/0 of 500 /u, /50%.*Dec 1/u]],
    [{ limit: 413 }, [/412 of 413 .*>99%/u, /50%.*Dec 1/u]],
    [{ limit: 12_345_678 }, [/412 of 12\.3M .*<1%/u, /50%.*Dec 1/u]],
  ] as const)('%j', (more, [title, subtitle]) => {
    const words = describeChart(burn(more));
    expect(words.title).toMatch(title);
    expect(words.subtitle).toMatch(subtitle);
    expect(words).toMatchSnapshot();
  });
});

describe('the funnel', () => {
  it('says how many proposals a hire takes', () => {
    expect(describeChart(funnel())).toMatchSnapshot();
    expect(describeChart(funnel())).toEqual({
      title: expect.stringMatching(/9 .* 412 .* 30 /u),
      subtitle: expect.stringMatching(/1 .* 9 .* 1 .* 46 /u),
      alt: expect.stringMatching(/9 .* 412 .* 30 .* 187 .*\(45%\).* 46 .*\(11%\).* 9 .*\(2%\)/u),
    });
  });

  it.each([
    [{ sent: 0, viewed: 0, interviewed: 0, hired: 0 }, ['30']],
    [{ sent: 1, viewed: 1, interviewed: 1, hired: 1, days: 1 }, ['1', '1', '1']],
    [{ sent: 1_200, hired: 0 }, ['1,200', '30']],
  ])('%j', (more, numbers) => {
    const { title } = describeChart(funnel(more));
    expect(title.match(/[\d,]*\d/gu)).toEqual(numbers);
    expect(title).toMatchSnapshot();
  });

  it('counts them where more than half of the proposals lead there', () => {
    const { subtitle } = describeChart(funnel({ sent: 4, viewed: 4, interviewed: 3, hired: 1 }));
    expect(subtitle.match(/\d+/gu)).toEqual(['3', '4', '1', '4']);
    expect(subtitle).toMatchSnapshot();
  });

  it('speaks of no interview rather than of one in infinitely many', () => {
    const { subtitle } = describeChart(funnel({ interviewed: 0, hired: 0 }));
    expect(subtitle.match(/\d+/gu)).toEqual(['187']);
    expect(subtitle).toMatchSnapshot();
  });
});

describe('the hours', () => {
  const tuesday = { day: 1, hour: 14, count: 9 };
  const wednesday = { day: 2, hour: 9, count: 9 };
  const friday = { day: 4, hour: 0, count: 5 };
  const sunday = { day: 6, hour: 23, count: 5 };

  it('name the busiest, and what comes next', () => {
    expect(describeChart(hours(tuesday, friday))).toMatchSnapshot();
    expect(describeChart(hours(tuesday, friday))).toEqual({
      title: expect.stringMatching(/Tue 2 PM.* 9 /u),
      subtitle: expect.stringMatching(/Fri 12 AM.* 14 .* 30 /u),
      alt: expect.stringMatching(/Tue 2 PM.* 9 .*Fri 12 AM.* 14 .* 30 .*Europe\/Berlin/u),
    });
  });

  it('name two that are equally busy', () => {
    expect(describeChart(hours(tuesday, wednesday))).toMatchSnapshot();
    expect(describeChart(hours(tuesday, wednesday))).toMatchObject({
      title: expect.stringMatching(/Tue 2 PM.*Wed 9 AM/u),
      subtitle: expect.stringMatching(/9 .* 18 .* 30 /u),
    });
  });

  it('name nobody third where two are', () => {
    const { subtitle } = describeChart(hours(tuesday, { ...wednesday, count: 7 }, friday, sunday));
    expect(subtitle).toMatch(/Wed 9 AM.* 26 .* 30 /u);
    expect(subtitle).not.toContain('Fri');
    expect(subtitle).toMatchSnapshot();
  });

  it.each([
    ['none', hours(), /30/u, /./u],
    ['one', hours({ ...friday, count: 1 }), /1 .* 30 /u, /Fri 12 AM/u],
    ['four apart', hours(...[1, 2, 3, 4].map((day) => ({ day, hour: 3, count: 1 }))), /4 .* 30 /u, /./u],
    [
      'four twice',
      hours(...[1, 2, 3, 4].map((day) => ({ day, hour: 3, count: 2 }))),
      /8 .* 30 /u,
      /4 .* 2 /u,
    ],
  ])('say what there is to say of few: %s', (_, picture, title, subtitle) => {
    const words = describeChart(picture);
    expect(words.title).toMatch(title);
    expect(words.subtitle).toMatch(subtitle);
    expect(words).toMatchSnapshot();
  });

  it('add up to all projects', () => {
    const all = dense.counts.flat().reduce((sum, count) => sum + count, 0);
    expect(describeChart(dense).alt).toContain(` ${all.toLocaleString('en-US')} `);
  });
});

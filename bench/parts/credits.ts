/** What delivered projects cost: the marketplace's own books beside the posted cards. */
import { type CreditsPlayed, playCredits } from '../credits/play-credits.ts';
import type { Measure } from '../part.ts';

export const measure: Measure = async ({ quick, say }) => {
  const seeds = quick ? 1 : 4;
  const kills = quick ? 8 : 25;
  const games: CreditsPlayed[] = [];
  for (let seed = 1; seed <= seeds; seed++) {
    say(`world ${seed} of ${seeds}, ${kills} kills`);
    games.push(await playCredits(seed, kills));
  }
  const sum = (of: (game: CreditsPlayed) => number) => games.reduce((total, game) => total + of(game), 0);
  const delivered = sum((game) => game.delivered);
  const charged = sum((game) => game.charged);
  const onBudgets = sum((game) => game.onBudgets);
  const due = sum((game) => game.due);
  const perProject = {
    measured: charged / delivered,
    unit: '',
    baseline: "the simulated marketplace's records",
    note:
      `${charged} charged, ${delivered} projects delivered as ${due} cards. ` +
      `3 channels, 4 overlapping filters, ${seeds * kills} kills, and lost and failed responses.`,
  };
  return [
    { ...perProject, what: 'Credits per delivered project, at most', bar: { atMost: 1 } },
    { ...perProject, what: 'Credits per delivered project, at least', bar: { atLeast: 1 } },
    {
      what: 'Cards missing from a channel, or posted twice',
      measured: sum((game) => game.missing + game.twice),
      unit: '',
      baseline: 'none',
      bar: { atMost: 0 },
      note: `Of ${due} cards.`,
    },
    {
      what: 'Credits missing from channel budgets, or counted twice',
      measured: Math.abs(charged - onBudgets),
      unit: '',
      baseline: "the simulated marketplace's records",
      bar: { atMost: 0 },
      note: `${onBudgets} are on channel budgets.`,
    },
  ];
};

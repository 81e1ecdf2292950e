/** Projects with content that breaks careless software. */
import type { ProjectSeed } from '../marketplace/simulated-marketplace.ts';

export const STRANGE_PROJECTS: readonly ProjectSeed[] = [
  {
    title: 'URGENT!!! <!channel> *Need* _developer_ `now` <https://evil.example|Click here>',
    description: '<script>alert(1)</script> &lt;b&gt; @here @channel <@U123> > quote\n```\nunclosed code',
  },
  {
    title: `Very long title: ${'a project with a name that just does not end, '.repeat(12)}`,
    description: `${'Supercalifragilistic'.repeat(60)}\n\n${'word '.repeat(1_500)}`,
    skills: Array.from({ length: 60 }, (_, n) => `A skill with a rather long name, number ${n + 1}`),
  },
  {
    title: 'مطلوب مطور تطبيقات \u202Egnirts desrever\u202C 👩‍👩‍👧‍👦 Z̷̢a̴l̷g̸o̶',
    description: '募集：ウェブ開発者。\u0000\u0007 Тест. ﷽ 🏳️‍🌈',
  },
  {
    title: ' ',
    description: '',
    skills: [],
    categories: [],
    budget: { type: 'fixed', fixedAmount: 0, hourlyMin: 0, hourlyMax: 0 },
    client: { country: '', rating: 0, reviews: 0, totalHires: 0, totalSpent: 0, hireRate: 0 },
  },
  {
    title: ':tada: {date} <!date^0^{date}|never> :no_such_emoji: ~crossed out~ | a | table |',
    description: '# Not a heading\n- not a list\n| not | a table |',
    clientQuestions: Array.from({ length: 20 }, (_, n) => `Question ${n + 1}: ${'why? '.repeat(60)}`),
  },
  {
    title: 'Spend a billion on our portal',
    description: 'Budget and history are far out of the ordinary.',
    budget: { type: 'fixed', fixedAmount: 1_000_000_000, hourlyMin: 0, hourlyMax: 0 },
    client: { totalSpent: 987_654_321, totalHires: 123_456, reviews: 99_999, rating: 5, hireRate: 1 },
  },
];

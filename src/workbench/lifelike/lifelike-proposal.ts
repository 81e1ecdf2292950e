/** Makes up a proposal that fits its project: the letter, the answers, and the price. */
import type { RandomSource } from '../../clock.ts';
import type { SimulatedProposal } from '../marketplace/records.ts';
import { type Posting, randomBudget } from './lifelike-projects.ts';
import { writeCoverLetter } from './lifelike-texts.ts';

type Fields = 'jobTitle' | 'coverLetter' | 'answers' | 'terms' | 'occupationTitle';

export function makeLifelikeProposal(
  random: RandomSource,
  { brief, title }: Posting,
): Pick<SimulatedProposal, Fields> {
  const budget = randomBudget(random, brief);
  return {
    jobTitle: title,
    coverLetter: writeCoverLetter(random, brief),
    answers: brief.questions.map(([question, answer]) => ({ question, answer })),
    terms: {
      fixedPrice: Math.round((budget.fixedAmount * (0.85 + random() * 0.15)) / 10) * 10,
      hourlyRate: budget.hourlyMax,
      increasePercent: 0,
      increaseFrequency: 0,
    },
    occupationTitle: brief.categories.at(-1) ?? '',
  };
}

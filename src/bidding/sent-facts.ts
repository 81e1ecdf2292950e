/** What the bid form showed of a bid when it was sent, line by line. Pure. */
import type { ShownFact } from '../decisions/decisions.ts';
import type { Bid } from './records.ts';

function timeOf({ scheduledAt, scheduledInMinutes }: Bid['request']): string {
  if (scheduledAt !== undefined) return new Date(scheduledAt).toISOString();
  return scheduledInMinutes === undefined ? '' : `in ${scheduledInMinutes} minutes`;
}

/** Fields that the bid leaves to its setup are left out. */
export function listSentFacts({
  title,
  request,
  setupName,
  similarLetter,
}: Omit<Bid, 'audit' | 'home'>): readonly ShownFact[] {
  const { marketplaceJobId, projectId, setup, bidAmount, boostConnects, coverLetter, answers = [] } = request;
  return [
    { name: 'project', text: title },
    { name: 'job ID', text: marketplaceJobId },
    { name: 'project ID', text: projectId?.toString() ?? '' },
    { name: 'setup', text: setupName === undefined ? String(setup) : `${setupName} (${setup})` },
    { name: 'rate', text: bidAmount?.toString() ?? '' },
    { name: 'boost', text: boostConnects?.toString() ?? '' },
    { name: 'scheduled', text: timeOf(request) },
    {
      name: 'warning',
      text: similarLetter ? `${similarLetter.percent}% of the letter repeats another one` : '',
    },
    { name: 'letter', text: coverLetter ?? '' },
    ...answers.map(({ question, answer }) => ({ name: `answer to “${question}”`, text: answer })),
  ];
}

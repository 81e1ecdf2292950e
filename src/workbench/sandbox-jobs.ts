/** The sandbox's commands that run jobs. */
import type { SimulatedMarketplace } from './marketplace/simulated-marketplace.ts';

type Print = (text: string) => void;

function settle(marketplace: SimulatedMarketplace, id: number, words: string): string {
  if (words === 'fails') {
    marketplace.updateJob(id, { status: 'failed', errorMessage: 'The client closed the project' });
    return 'failed';
  }
  marketplace.turnJobIntoProposal(id);
  return 'became a proposal';
}

/** Turns every scheduled job into a proposal. @returns false when there is none */
export function turnScheduledJobsIntoProposals(marketplace: SimulatedMarketplace): boolean {
  const waiting = marketplace
    .jobs()
    .filter(({ status }) => status === 'scheduled' || status === 'processing');
  for (const { id } of waiting) settle(marketplace, id, 'sends');
  return waiting.length > 0;
}

/** Ends the latest job; the bot notices at its next poll or refresh. @param words `sends` or `fails` */
export function endLatestJob(marketplace: SimulatedMarketplace, words: string, print: Print): void {
  const { id } = marketplace.jobs().at(-1) ?? {};
  if (words !== 'sends' && words !== 'fails')
    print('How should the latest job end? Type job sends or job fails.');
  else if (id === undefined) print('No jobs yet.');
  else print(`(job #${id} ${settle(marketplace, id, words)}; check it now with /gig job ${id})`);
}

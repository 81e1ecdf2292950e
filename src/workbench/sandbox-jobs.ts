/** Jobs of the sandbox that go on at a word. */
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

/** Jobs that wait for their time have come to it: each becomes a proposal. @returns false when none waits */
export function sendScheduledJobs(marketplace: SimulatedMarketplace): boolean {
  const waiting = marketplace
    .jobs()
    .filter(({ status }) => status === 'scheduled' || status === 'processing');
  for (const { id } of waiting) settle(marketplace, id, 'sends');
  return waiting.length > 0;
}

/** Ends the latest job; the bot learns of it when it looks next, or when somebody asks. @param words `sends` or `fails` */
export function endLatestJob(marketplace: SimulatedMarketplace, words: string, print: Print): void {
  const { id } = marketplace.jobs().at(-1) ?? {};
  if (words !== 'sends' && words !== 'fails')
    print('How should the latest job end? Type job sends or job fails.');
  else if (id === undefined) print('No jobs yet.');
  else print(`(job #${id} ${settle(marketplace, id, words)}; check it now with /gig job ${id})`);
}

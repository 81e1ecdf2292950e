/** The marketplace's side of the sandbox's prompt: trouble, and jobs that go on. */
import { faults } from './marketplace/faults.ts';
import type { SimulatedMarketplace } from './marketplace/simulated-marketplace.ts';

type Print = (text: string) => void;

const TROUBLES: ReadonlyMap<string, (marketplace: SimulatedMarketplace) => string> = new Map([
  [
    '429',
    (marketplace) => {
      marketplace.fault({}, faults.rateLimited('20'), 3);
      return 'the marketplace refuses the next three requests; the bot waits as long as it is told to';
    },
  ],
  [
    '500',
    (marketplace) => {
      marketplace.fault({}, faults.status(500), Number.POSITIVE_INFINITY);
      return 'every request fails now: /gig status tells it at once, the channels hear of it after three minutes';
    },
  ],
  [
    'lost',
    (marketplace) => {
      marketplace.fault({ path: '/auto-bidding/jobs/create' }, { kind: 'drop', when: 'after' });
      return 'the next bid becomes a job, but its answer is lost';
    },
  ],
  [
    'credits',
    (marketplace) => {
      marketplace.setCredits(0);
      return 'the account has no credits left; the channels hear of it once';
    },
  ],
  [
    'off',
    (marketplace) => {
      marketplace.clearFaults();
      marketplace.setCredits(10_000);
      return 'the marketplace is well again; the bot finds out by itself, after lost credits within ten minutes';
    },
  ],
]);

export function trouble(marketplace: SimulatedMarketplace, kind: string, print: Print): void {
  const make = TROUBLES.get(kind);
  print(make ? `(${make(marketplace)})` : 'Which trouble: 429, 500, lost, credits or off?');
}

function settle(marketplace: SimulatedMarketplace, id: number, words: string): string {
  if (words === 'fails') {
    marketplace.settleJob(id, { status: 'failed', errorMessage: 'The client has closed the project' });
    return 'has failed';
  }
  marketplace.sendJob(id);
  return 'has become a proposal';
}

/** Jobs that wait for their time have come to it: each becomes a proposal. @returns false when none waits */
export function sendJobs(marketplace: SimulatedMarketplace): boolean {
  const waiting = marketplace
    .jobs()
    .filter(({ status }) => status === 'scheduled' || status === 'processing');
  for (const { id } of waiting) settle(marketplace, id, 'sends');
  return waiting.length > 0;
}

/** Ends the latest job; the bot learns of it when it looks next, or when somebody asks. @param words `sends` or `fails` */
export function moveJob(marketplace: SimulatedMarketplace, words: string, print: Print): void {
  const { id } = marketplace.jobs().at(-1) ?? {};
  if (words !== 'sends' && words !== 'fails')
    print('What becomes of the latest job: job sends, or job fails?');
  else if (id === undefined) print('There is no job yet.');
  else print(`(job #${id} ${settle(marketplace, id, words)}; /gig job ${id} asks at once)`);
}

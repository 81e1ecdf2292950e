/** The cost of rejecting requests that don't come from Slack, beside a bare server that answers 401. */
import type { Contender } from '../contender.ts';
import { median, spread } from '../measure.ts';
import type { Row } from '../part.ts';
import type { LoadProcess } from './load-process.ts';
import { STRANGERS, type Stranger } from './strangers.ts';

interface Plan {
  readonly rounds: number;
  /** Requests in each round; a tenth of them for long bodies. */
  readonly requests: number;
}

async function describe(
  load: Contender<LoadProcess>,
  urls: { readonly app: string; readonly bare: string },
  stranger: Stranger,
  { rounds, requests }: Plan,
): Promise<Row> {
  const count = stranger.endsWith('1 kB') ? requests : requests / 10;
  const ratios: number[] = [];
  const each: number[] = [];
  const bareEach: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const bare = await load.ask('flood', { url: urls.bare, stranger, count });
    const app = await load.ask('flood', { url: urls.app, stranger, count });
    ratios.push(app / bare);
    each.push(app / count);
    bareEach.push(bare / count);
  }
  return {
    what: `Rejecting a request: ${stranger}`,
    measured: median(ratios),
    unit: 'x',
    baseline: `a bare server that returns 401, ${median(bareEach).toFixed(2)} ms`,
    note:
      `${median(each).toFixed(2)} ms each. ` +
      `${rounds} rounds of ${count.toLocaleString('en')}, from ${spread(ratios)}.`,
  };
}

export async function describeRefusals(
  load: Contender<LoadProcess>,
  urls: { readonly app: string; readonly bare: string },
  plan: Plan,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const stranger of STRANGERS) rows.push(await describe(load, urls, stranger, plan));
  return rows;
}

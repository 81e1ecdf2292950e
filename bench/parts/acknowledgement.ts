/** How quickly the whole app answers Slack, beside a bare Bolt app that sends the same answers. */
import { openAnswerSink } from '../acknowledgement/answer-sink.ts';
import type { BareProcess } from '../acknowledgement/bare-process.ts';
import { describeRefusals } from '../acknowledgement/describe-refusals.ts';
import type { LoadProcess } from '../acknowledgement/load-process.ts';
import {
  type Bench,
  findHighestRate,
  type Measured,
  type Streamed,
  stream,
} from '../acknowledgement/measure-streams.ts';
import { scriptBeside, startServices } from '../app/start-services.ts';
import { startContender } from '../contender.ts';
import { median, quantile, spread } from '../measure.ts';
import type { Measure, PartOptions, Row } from '../part.ts';

const PER_SECOND = 200;

interface Plan {
  readonly size: { readonly proposals: number; readonly seen: number };
  readonly warmUpSeconds: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly searches: number;
  readonly searchSeconds: number;
  readonly refusals: { readonly rounds: number; readonly requests: number };
}

const QUICK: Plan = {
  size: { proposals: 1_000, seen: 5_000 },
  warmUpSeconds: 1.5,
  rounds: 3,
  seconds: 1.5,
  searches: 1,
  searchSeconds: 0.7,
  refusals: { rounds: 1, requests: 500 },
};
const FULL: Plan = {
  size: { proposals: 20_000, seen: 50_000 },
  warmUpSeconds: 10,
  rounds: 7,
  seconds: 6,
  searches: 3,
  searchSeconds: 1.5,
  refusals: { rounds: 7, requests: 1_000 },
};

interface Both {
  readonly app: Measured;
  readonly bolt: Measured;
}

/** The app's figure divided by Bolt's, for each round. */
function divide({
  app,
  bolt,
}: {
  readonly app: readonly number[];
  readonly bolt: readonly number[];
}): number[] {
  return app.map((figure, round) => figure / (bolt[round] ?? Number.NaN));
}

async function describeTimes(bench: Bench, both: Both, { rounds, seconds }: Plan): Promise<readonly Row[]> {
  const apps: Streamed[] = [];
  const bolts: Streamed[] = [];
  for (let round = 0; round < rounds; round++) {
    bolts.push(await stream(bench, both.bolt, PER_SECOND, seconds));
    apps.push(await stream(bench, both.app, PER_SECOND, seconds));
  }
  const failed = apps.reduce((sum, it) => sum + it.failed, 0);
  if (failed > 0) throw new Error(`${failed} requests weren't acknowledged`);
  const of = (figure: (it: Streamed) => number) => ({ app: apps.map(figure), bolt: bolts.map(figure) });
  const p99s = of(({ took }) => quantile(took, 0.99));
  const slowest = of(({ took }) => quantile(took, 1));
  const cpu = of(({ cpuEach }) => cpuEach);
  const ratios = divide(p99s);
  const at = `at ${PER_SECOND} interactions per second`;
  return [
    {
      what: `Acknowledgement ${at}, p99`,
      measured: median(ratios),
      unit: 'x',
      baseline: `a bare Bolt app, ${median(p99s.bolt).toFixed(1)} ms`,
      bar: { atMost: 1.25 },
      note:
        `${median(p99s.app).toFixed(1)} ms. ` +
        `Median of ${rounds} alternating rounds of ${seconds} s, from ${spread(ratios)}.`,
    },
    {
      what: `Slowest acknowledgement ${at}`,
      measured: Math.max(...slowest.app),
      unit: 'ms',
      baseline: `a bare Bolt app, ${Math.max(...slowest.bolt).toFixed(1)} ms`,
      bar: { atMost: 1_000 },
      note: `Of about ${(rounds * seconds * PER_SECOND).toLocaleString('en')} acknowledgements.`,
    },
    {
      what: `CPU per interaction ${at}, including acknowledgement and response`,
      measured: median(divide(cpu)),
      unit: 'x',
      baseline: `a bare Bolt app, ${median(cpu.bolt).toFixed(2)} ms`,
      note:
        `${median(cpu.app).toFixed(2)} ms, from ${spread(divide(cpu))}. Bolt sends prepared responses. ` +
        'The app looks up the user, reads its store, and writes and checks each response.',
    },
  ];
}

async function describeRate(bench: Bench, both: Both, { searches, searchSeconds }: Plan): Promise<Row> {
  const [app, bolt]: [number[], number[]] = [[], []];
  for (let search = 0; search < searches; search++) {
    bolt.push(await findHighestRate(bench, both.bolt, searchSeconds));
    app.push(await findHighestRate(bench, both.app, searchSeconds));
  }
  const ratios = divide({ app, bolt });
  return {
    what:
      'Highest sustained rate: p99 within 100 ms, ' +
      'the last response within 200 ms of the last acknowledgement',
    measured: median(ratios),
    unit: 'x',
    baseline: `a bare Bolt app, ${median(bolt).toFixed(0)} per second`,
    bar: { atLeast: 0.8 },
    note: `${median(app).toFixed(0)} per second. Median of ${searches} runs, from ${spread(ratios)}.`,
  };
}

async function measureAll(plan: Plan, say: PartOptions['say']): Promise<readonly Row[]> {
  say('filling a folder');
  const services = await startServices(plan.size);
  const sink = await openAnswerSink();
  const load = startContender<LoadProcess>(
    scriptBeside(import.meta.url, '../acknowledgement/load-process.js'),
  );
  const app = services.createApp();
  const bare = startContender<BareProcess>(
    scriptBeside(import.meta.url, '../acknowledgement/bare-process.js'),
  );
  try {
    const bench = { load, sink };
    say('starting and warming up the app');
    const appUrl = `${await app.ask('start', services.env)}/slack/events`;
    await app.ask('memory', plan.size.proposals);
    const measured = { url: appUrl, cpuMs: () => app.ask('cpu', undefined) };
    const warm = await stream(bench, measured, PER_SECOND, plan.warmUpSeconds);
    if (!warm.isComplete) throw new Error(`${warm.failed} requests failed or got no response`);
    const boltUrl = await bare.ask('bolt', Object.fromEntries(sink.first));
    const both = { app: measured, bolt: { url: boltUrl, cpuMs: () => bare.ask('cpu', undefined) } };
    await stream(bench, both.bolt, PER_SECOND, plan.warmUpSeconds);
    say(`${plan.rounds} rounds of ${PER_SECOND} interactions per second`);
    const times = await describeTimes(bench, both, plan);
    say('finding the highest rate');
    const rate = await describeRate(bench, both, plan);
    say("sending requests that aren't from Slack");
    const refusing = await bare.ask('refuse', undefined);
    const refusals = await describeRefusals(load, { app: appUrl, bare: refusing }, plan.refusals);
    await app.ask('stop', undefined);
    return [...times, rate, ...refusals];
  } finally {
    await Promise.all([load.end(), app.end(), bare.end()]);
    sink.close();
    await services.close();
  }
}

export const measure: Measure = ({ quick, say }) => measureAll(quick ? QUICK : FULL, say);

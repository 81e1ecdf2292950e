/** The whole app over a full folder: start time and memory. */
import { performance } from 'node:perf_hooks';
import type { Memory } from '../app/app-process.ts';
import { type Services, startServices } from '../app/start-services.ts';
import { median, spread } from '../measure.ts';
import type { Measure, Row } from '../part.ts';
import { timeReading } from '../storage/contenders.ts';

interface Started {
  readonly seconds: number;
  readonly memory: Memory;
}

async function startOnce({ createApp, env }: Services, proposals: number): Promise<Started> {
  const began = performance.now();
  const app = createApp();
  try {
    await app.ask('start', env);
    const seconds = (performance.now() - began) / 1_000;
    const memory = await app.ask('memory', proposals);
    await app.ask('stop', undefined);
    return { seconds, memory };
  } finally {
    await app.end();
  }
}

export const measure: Measure = async ({ quick, say }): Promise<readonly Row[]> => {
  const size = quick ? { proposals: 5_000, seen: 10_000 } : { proposals: 20_000, seen: 50_000 };
  const seen = size.seen.toLocaleString('en');
  const data = `${size.proposals.toLocaleString('en')} proposals and ${seen} seen projects`;
  say(`filling a folder with ${data}`);
  const services = await startServices(size);
  try {
    const rounds = quick ? 1 : 5;
    const starts: Started[] = [];
    const readings: number[] = [];
    for (let round = 1; round <= rounds; round++) {
      say(`start ${round} of ${rounds}`);
      readings.push((await timeReading(services.folder)) / 1_000);
      starts.push(await startOnce(services, size.proposals));
    }
    const held = starts.map(({ memory }) => memory.proposals);
    if (held.some((proposals) => proposals !== size.proposals))
      throw new Error(`the app has ${held.join(', ')} of ${size.proposals} proposals`);
    const seconds = starts.map((it) => it.seconds);
    const ratios = seconds.map((took, at) => took / (readings[at] ?? Number.NaN));
    const of = (figure: (memory: Memory) => number) => starts.map(({ memory }) => figure(memory));
    const resident = of(({ residentMb }) => residentMb);
    return [
      {
        what: `Start with ${data}, until it accepts requests and the feed runs`,
        measured: median(ratios),
        unit: 'x',
        baseline: `reading and parsing its files, ${median(readings).toFixed(2)} s`,
        bar: { atMost: 4 },
        note:
          `${median(seconds).toFixed(2)} s from the start of the process. ` +
          `Median of ${rounds} starts, from ${spread(ratios)}.`,
      },
      {
        what: `Resident memory with ${data}`,
        measured: median(resident),
        unit: 'MB',
        baseline: 'none',
        bar: { atMost: 400 },
        note:
          `With the index built, from ${spread(resident, 0)} MB. ` +
          `Peak ${Math.max(...of(({ peakMb }) => peakMb)).toFixed(0)} MB, ` +
          `heap in use ${median(of(({ heapMb }) => heapMb)).toFixed(0)} MB.`,
      },
    ];
  } finally {
    await services.close();
  }
};

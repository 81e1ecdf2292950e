/** The chart worker thread: what happens to charts when it is slow, dies, or becomes idle. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE, machineClock, SECOND } from '../../src/clock.ts';
import { ChartError, type ChartRenderer, createChartRenderer } from '../../src/pictures/chart-renderer.ts';
import { renderChartPng } from '../../src/pictures/worker.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { type CompiledWorker, compileWorker } from './compiled-worker.ts';
import { burn, dense, funnel } from './samples.ts';

let open: ChartRenderer | undefined;

afterEach(async () => {
  await open?.close();
});

describe('the real worker', () => {
  let compiled: CompiledWorker;

  beforeAll(async () => {
    compiled = await compileWorker();
  });

  afterAll(async () => {
    await compiled.remove();
  });

  it('draws what would be drawn here', async () => {
    const pictures = createChartRenderer({ clock: machineClock, workerUrl: compiled.workerUrl });
    open = pictures;
    const all = [burn({ limit: 500 }), funnel(), dense];
    const drawn = await Promise.all(all.map((it) => pictures.renderChart(it)));
    expect(drawn.map(({ width, height }) => ({ width, height }))).toEqual(
      all.map(renderChartPng).map(({ width, height }) => ({ width, height })),
    );
    for (const [at, { png }] of drawn.entries()) {
      const picture = all[at];
      expect(picture && Buffer.from(png).equals(renderChartPng(picture).png)).toBe(true);
    }
  });

  it('says why it can’t draw, and draws the next', async () => {
    open = createChartRenderer({ clock: machineClock, workerUrl: compiled.workerUrl });
    const refused = open.renderChart(burn({ timezone: 'Mars/Olympus' }));
    const next = open.renderChart(funnel());
    await expect(refused).rejects.toMatchObject({ code: 'refused', cause: expect.any(RangeError) });
    expect((await next).width).toBe(1200);
  });

  it('is found beside the compiled code, and lets the process end although nobody closes it', async () => {
    const main = new URL('main.mjs', compiled.chartRendererUrl);
    const program = `
      import { createChartRenderer } from ${JSON.stringify(compiled.chartRendererUrl.href)};
      const clock = { now: () => 0, monotonicNow: () => 0, runAfter: () => () => {}, sleep: async () => {} };
      const stay = setInterval(() => {}, 1000);
      const { width } = await createChartRenderer({ clock }).renderChart(${JSON.stringify(funnel())});
      clearInterval(stay);
      console.log(width);`;
    await writeFile(main, program);
    const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(main)], {
      timeout: 30_000,
    });
    expect(stdout).toBe('1200\n');
  });
});

/**
 * A scripted worker: the chart's kind says what to do, and the width in its answer is the thread's number.
 */
const strangeWorker = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads';
    const answer = { kind: 'drawn', picture: { png: new Uint8Array(), width: threadId, height: 0 } };
    parentPort.on('message', ({ kind, sent, hired }) => {
      if (kind === 'burn') process.exit(7);
      if (kind === 'hours') for (;;);
      if (sent === 0) throw new Error('broken');
      parentPort.postMessage(answer);
      if (hired === 0) setImmediate(() => { throw new Error('broken later'); });
    });`)}`,
);

/** Runs pending work until the condition holds. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setImmediate();
}

describe('a worker in trouble', () => {
  function start() {
    const clock = new ManualClock();
    const pictures = createChartRenderer({ clock, workerUrl: strangeWorker });
    open = pictures;
    const thread = async () => (await pictures.renderChart(funnel())).width;
    return { clock, pictures, thread };
  }

  it('is the same for one picture after another', async () => {
    const { thread } = start();
    expect(await Promise.all([thread(), thread()])).toEqual([await thread(), await thread()]);
  });

  it('that ends takes one picture with it, and the next has a new one', async () => {
    const { pictures, thread } = start();
    const first = await thread();
    await expect(pictures.renderChart(burn())).rejects.toMatchObject({
      code: 'ended',
      message: expect.stringMatching(/\bburn\b.*\b7$/u),
    });
    expect(await thread()).not.toBe(first);
  });

  it('that fails says of what', async () => {
    const { pictures, thread } = start();
    const failed = pictures.renderChart(funnel({ sent: 0 }));
    const next = thread();
    await expect(failed).rejects.toMatchObject({ code: 'ended', cause: { message: 'broken' } });
    expect(await next).toBeGreaterThan(0);
  });

  it('that fails with nothing to do is nobody’s trouble', async () => {
    const { pictures, thread } = start();
    // Node may report the failure before the answer that preceded it: then the answer is lost, too.
    let first: number | undefined;
    while (first === undefined)
      first = await pictures.renderChart(funnel({ hired: 0 })).then(
        ({ width }) => width,
        () => undefined,
      );
    let last: number | undefined = first;
    // Its end may be noticed while it has the next chart: only that one is lost.
    while (last === first) last = await thread().catch(() => first);
    expect(last).not.toBe(first);
  });

  it('that is stuck is ended after 20 s', async () => {
    const { clock, pictures, thread } = start();
    let outcome: unknown;
    const stuck = pictures.renderChart(dense).catch((thrown: unknown) => {
      outcome = thrown;
    });
    await until(() => clock.nextTimerDueAt() !== undefined);
    clock.moveBy(20 * SECOND - 1);
    await setImmediate();
    expect(outcome).toBeUndefined();
    clock.moveBy(1);
    await stuck;
    expect(outcome).toBeInstanceOf(ChartError);
    expect(outcome).toMatchObject({ code: 'late' });
    expect(await thread()).toBeGreaterThan(0);
  });

  it('that can’t be started is a picture’s error', async () => {
    const pictures = createChartRenderer({
      clock: machineClock,
      workerUrl: new URL('https://localhost/worker.js'),
    });
    await expect(pictures.renderChart(funnel())).rejects.toMatchObject({
      name: 'PictureError',
      code: 'ended',
    });
    const missing = createChartRenderer({
      clock: machineClock,
      workerUrl: new URL('missing.js', import.meta.url),
    });
    await expect(missing.renderChart(funnel())).rejects.toMatchObject({
      name: 'PictureError',
      code: 'ended',
    });
  });

  it('goes after a minute without pictures, and not before', async () => {
    const { clock, thread } = start();
    const first = await thread();
    clock.moveBy(MINUTE - 1);
    expect(await thread()).toBe(first);
    clock.moveBy(MINUTE - 1);
    expect(await thread()).toBe(first);
    clock.moveBy(MINUTE);
    expect(await thread()).not.toBe(first);
  });

  it('goes at the end, with what it draws and what waits', async () => {
    const { clock, pictures } = start();
    const drawing = pictures.renderChart(dense).catch((thrown: unknown) => thrown);
    const waiting = pictures.renderChart(funnel()).catch((thrown: unknown) => thrown);
    await until(() => clock.nextTimerDueAt() !== undefined);
    await pictures.close();
    expect(await drawing).toMatchObject({ code: 'closed' });
    expect(await waiting).toMatchObject({ code: 'closed' });
    await expect(pictures.renderChart(funnel())).rejects.toMatchObject({ code: 'closed' });
    expect(clock.nextTimerDueAt()).toBeUndefined();
  });

  it('is never started where nothing is drawn', async () => {
    const { clock, pictures } = start();
    await pictures.close();
    await pictures.close();
    expect(clock.nextTimerDueAt()).toBeUndefined();
  });
});

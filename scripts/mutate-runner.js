/**
 * Stryker's test runner for the pure cores: tests run inside the process with the mutants, and each mutant
 * reloads only the test files it needs. Stryker's own runner starts a worker per mutant, which costs a second
 * of CPU. This one needs some milliseconds, so all cores can be tried before a change is accepted.
 */
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { startTests } from 'vitest/internal/browser';
import { createViteServer } from 'vitest/node';

/** Where the instrumented code reads the active mutant. */
const NAMESPACE = '__stryker__';
/**
 * After this many turns of the event loop a test counts as hung: clocks are manual here, and tests don't use
 * the disk or network. Counting turns keeps a busy machine from looking like a hung test.
 */
const MOST_TURNS = 50_000;
/**
 * Property tests try a twentieth of their cases, but at least this many. With a time limit, what they notice
 * would depend on how busy the machine is.
 */
const LEAST_CASES = 5;
/** Timeout of hooks, which aren't counted in turns, ms. */
const PATIENCE = 20_000;
const HUNG = 'the test waits for something that never happens';

/** Finds modules with state, which would leak from one mutant to the next. */
const REMEMBERS = /^(?:export )?(?:let |const \w+ = new (?:Weak)?(?:Map|Set)\b[^(]*\(\))/m;

/** Shortens the property tests of a test file. */
const fewerCases = {
  name: 'fewer-cases',
  transform: (code, id) =>
    id.endsWith('.test.ts')
      ? code.replaceAll(/\bnumRuns: ([\d_]+)/g, (_, written) => {
          const cases = Number(written.replaceAll('_', ''));
          return `numRuns: ${Math.min(cases, Math.max(LEAST_CASES, Math.ceil(cases / 20)))}`;
        })
      : undefined,
};

const testsIn = (task) =>
  task.type === 'test' ? [task] : (task.tasks ?? []).flatMap((inner) => testsIn(inner));

function fullName(task) {
  const names = [];
  for (let at = task; at && at !== at.file; at = at.suite) names.unshift(at.name);
  return names.join(' ');
}

const idOf = (test) => `${relative('.', test.file.filepath).replaceAll('\\', '/')}#${fullName(test)}`;

/** Failures outside the test's own result: a hook or a file that failed around it. */
function failureOf(task) {
  for (let at = task; at; at = at === at.file ? undefined : (at.suite ?? at.file))
    if (at.result?.state === 'fail') return at.result.errors?.[0]?.message ?? 'failed';
  return undefined;
}

/** @throws when the test hasn't ended after `MOST_TURNS`, or with the test's own error */
async function endOrHang(body) {
  let isOver = false;
  const run = Promise.resolve(body()).finally(() => {
    isOver = true;
  });
  const hang = async () => {
    for (let turn = 0; turn < MOST_TURNS && !isOver; turn++) await new Promise((next) => setImmediate(next));
    if (!isOver) throw new Error(HUNG);
  };
  await Promise.race([run, hang()]);
  await run;
}

class InProcessRunner {
  #files;
  #modules;
  #server;
  /** Whether the loaded modules were loaded with an active mutant. */
  #isStale = false;
  #remembering = new Map();
  /** Duration of each file's last complete run, ms: the fastest files run first. */
  #costs = new Map();
  #stray;
  #failed;
  #filter;
  #mutants;
  #bodyOf;
  /** What the unchanged code gave to each snapshot assertion: changed code must give the same. */
  #snapshots = new Map();
  #isRecording = false;
  /** Snapshot assertions so far in the running test. */
  #compared = 0;

  constructor(options) {
    globalThis[NAMESPACE] ??= {};
    this.#mutants = globalThis[NAMESPACE];
    this.#files = options.coreTests.map((file) => resolve(file));
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    globalThis.__vitest_worker__ = { config: { expect: {} }, environment: { name: 'node' }, metaEnv: {} };
    // Imported late because the module expects its worker on load.
    const { expect, TestRunner } = await import('vitest');
    expect.extend({ toMatchSnapshot: (received) => this.#compareSnapshot(received) });
    this.#bodyOf = TestRunner.getTestFn;
    // The same cases for each mutant, without shrinking.
    fc.configureGlobal({ seed: 1, endOnFailure: true });
    for (const event of ['unhandledRejection', 'uncaughtException'])
      process.on(event, (error) => {
        this.#stray ??= String(error?.message ?? error);
      });
    this.#server = await createViteServer({
      configFile: false,
      logLevel: 'error',
      plugins: [fewerCases],
      appType: 'custom',
      server: { middlewareMode: true, hmr: false, ws: false, watch: null },
      optimizeDeps: { noDiscovery: true },
    });
    this.#modules = this.#server.environments.ssr.runner;
  }

  #compareSnapshot(received) {
    const key = `${this.#mutants.currentTestId} ${this.#compared++}`;
    const text = inspect(received, { depth: 20, maxArrayLength: null, maxStringLength: null, sorted: true });
    if (this.#isRecording) this.#snapshots.set(key, text);
    return { pass: this.#snapshots.get(key) === text, message: () => 'differs from the unchanged code' };
  }

  async dryRun() {
    this.#mutants.activeMutant = undefined;
    this.#filter = undefined;
    this.#isRecording = true;
    const files = await this.#run(this.#files, false);
    this.#isRecording = false;
    const broken = files.find((file) => file.result?.state === 'fail' && testsIn(file).length === 0);
    if (broken) return { status: 'error', errorMessage: `${broken.filepath}: ${failureOf(broken)}` };
    const tests = files.flatMap(testsIn).map((test) => {
      const base = {
        id: idOf(test),
        name: fullName(test),
        timeSpentMs: test.result?.duration ?? 0,
        fileName: test.file.filepath,
      };
      const failureMessage = failureOf(test);
      if (failureMessage !== undefined) return { ...base, status: 1, failureMessage };
      return { ...base, status: test.result?.state === 'pass' ? 0 : 2 };
    });
    const { mutantCoverage } = this.#mutants;
    return { status: 'complete', tests, mutantCoverage };
  }

  async mutantRun({ testFilter, hitLimit, activeMutant, mutantActivation, sandboxFileName }) {
    const isStatic = mutantActivation === 'static';
    Object.assign(this.#mutants, {
      hitCount: 0,
      hitLimit,
      activeMutant: isStatic ? activeMutant.id : undefined,
    });
    this.#filter = testFilter && new Set(testFilter);
    const files = testFilter
      ? [...new Set(testFilter.map((id) => resolve(id.slice(0, id.indexOf('#')))))]
      : this.#files;
    const isFresh = isStatic || this.#remembers(sandboxFileName);
    if (isFresh || this.#isStale) this.#modules.clearCache();
    this.#isStale = isFresh;
    const ran = await this.#run(files, true, isStatic ? undefined : activeMutant.id);
    this.#mutants.activeMutant = undefined;
    const unloaded = ran.find((file) => file.result?.state === 'fail' && testsIn(file).length === 0);
    if (unloaded && !isStatic) return { status: 'error', errorMessage: failureOf(unloaded) };
    if (hitLimit !== undefined && this.#mutants.hitCount > hitLimit)
      return { status: 'timeout', reason: `the changed line ran more than ${hitLimit} times` };
    return this.#judge(ran);
  }

  #judge(ran) {
    const tests = ran.flatMap(testsIn);
    const nrOfTests = tests.filter((test) => test.result).length;
    const failing = this.#failed ?? ran.find((file) => failureOf(file) !== undefined);
    const failureMessage = (failing && failureOf(failing)) ?? this.#stray;
    if (failureMessage === undefined) return { status: 'survived', nrOfTests };
    if (failureMessage === HUNG) return { status: 'timeout', reason: failureMessage };
    // When a whole file or a hook failed, report it for its first test.
    const killer = failing?.type === 'test' ? failing : tests[0];
    return { status: 'killed', killedBy: killer ? [idOf(killer)] : [], failureMessage, nrOfTests };
  }

  #remembers(file) {
    const known = this.#remembering.get(file) ?? REMEMBERS.test(readFileSync(file, 'utf8'));
    this.#remembering.set(file, known);
    return known;
  }

  async dispose() {
    await this.#server?.close();
  }

  /**
   * Runs the tests of files, one file after the other; `bail` stops at the first failure, before the others
   * load. `mutant` is activated once a file is loaded.
   */
  async #run(files, bail, mutant) {
    this.#stray = undefined;
    this.#failed = undefined;
    const costOf = (file) => this.#costs.get(file) ?? 0;
    const ran = [];
    for (const file of files.toSorted((a, b) => costOf(a) - costOf(b))) {
      if (mutant !== undefined) this.#mutants.activeMutant = undefined;
      const [done] = await this.#runFile(file, bail, mutant);
      ran.push(done);
      const isFailed = this.#failed || this.#stray !== undefined || done.result?.state === 'fail';
      if (!isFailed) this.#costs.set(file, done.result?.duration ?? 0);
      else if (bail) break;
    }
    await new Promise((settled) => setImmediate(settled));
    return ran;
  }

  #runFile(path, bail, mutant) {
    return startTests([path], {
      config: {
        root: resolve('.'),
        name: '',
        setupFiles: [],
        sequence: { hooks: 'stack', setupFiles: 'list', concurrent: false, shuffle: false, seed: 1 },
        maxConcurrency: 1,
        testTimeout: 60_000,
        hookTimeout: PATIENCE,
        passWithNoTests: true,
        allowOnly: true,
        retry: 0,
        includeTaskLocation: false,
        chaiConfig: undefined,
        tags: [],
        strictTags: false,
      },
      importFile: async (file) => {
        const known = this.#modules.evaluatedModules.getModuleById(file);
        if (known) this.#modules.evaluatedModules.invalidateModule(known);
        await this.#modules.import(file);
      },
      onCollected: () => {
        if (mutant !== undefined) this.#mutants.activeMutant = mutant;
      },
      onBeforeRunTask: (task) => {
        const isOther = this.#filter && task.type === 'test' && !this.#filter.has(idOf(task));
        if (isOther || (bail && this.#failed)) task.mode = 'skip';
        if (task.type === 'test') this.#mutants.currentTestId = idOf(task);
        this.#compared = 0;
      },
      runTask: (test) => endOrHang(this.#bodyOf(test)),
      onAfterRunTask: (task) => {
        if (task.type === 'test' && task.result?.state === 'fail') this.#failed ??= task;
        this.#mutants.currentTestId = undefined;
      },
    });
  }
}

const createRunner = (options) => new InProcessRunner(options);
createRunner.inject = ['options'];

/** Not Stryker's `testFiles`: with it, Stryker would not activate static mutants before the files load. */
export const strykerValidationSchema = {
  type: 'object',
  properties: { coreTests: { type: 'array', items: { type: 'string' } } },
};

export const strykerPlugins = [{ kind: 'TestRunner', name: 'in-process', factory: createRunner }];

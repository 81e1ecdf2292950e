/**
 * Stryker's test runner for the pure cores: the tests run inside the process that holds the mutants, and for a mutant
 * nothing is read anew but the test files it needs. Stryker's own runner starts a worker for each mutant, a second of
 * a core; this one needs some milliseconds, so that all cores can be tried before a change is taken.
 */
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import fc from 'fast-check';
import { startTests } from 'vitest/internal/browser';
import { createViteServer } from 'vitest/node';

/** Where the code that Stryker changed looks for the mutant to live. */
const NAMESPACE = '__stryker__';
/**
 * A test that has not ended after so many turns of the event loop waits for what never comes: clocks are moved by hand here,
 * and nothing is read from a disk or the network. Counted in turns, a busy machine is not taken for a hung test.
 */
const MOST_TURNS = 50_000;
/** For hooks, which are not counted in turns, ms. */
const PATIENCE = 20_000;
const HUNG = 'the test waits for something that never happens';

/** What a module remembers from one call to the next would hide from a mutant that it has been called before. */
const REMEMBERS = /^(?:export )?(?:let |const \w+ = new (?:Weak)?(?:Map|Set)\b[^(]*\(\))/m;

const testsIn = (task) =>
  task.type === 'test' ? [task] : (task.tasks ?? []).flatMap((inner) => testsIn(inner));

function fullName(task) {
  const names = [];
  for (let at = task; at && at !== at.file; at = at.suite) names.unshift(at.name);
  return names.join(' ');
}

const idOf = (test) => `${relative('.', test.file.filepath).replaceAll('\\', '/')}#${fullName(test)}`;

/** What makes a test fail that its own result does not tell: a hook or a file that failed around it. */
function failureOf(task) {
  for (let at = task; at; at = at === at.file ? undefined : (at.suite ?? at.file))
    if (at.result?.state === 'fail') return at.result.errors?.[0]?.message ?? 'failed';
  return undefined;
}

/** @throws when the test has not ended after `MOST_TURNS`, or as it does */
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
  /** Whether what is loaded was loaded with a mutant alive. */
  #isStale = false;
  #remembering = new Map();
  /** How long each file's tests took when they last ran to their end, ms: what is quick is tried first. */
  #costs = new Map();
  #stray;
  #failed;
  #filter;
  #mutants;
  #passedOver;
  #bodyOf;

  constructor(options) {
    globalThis[NAMESPACE] ??= {};
    this.#mutants = globalThis[NAMESPACE];
    this.#passedOver = new RegExp(options.passedOver);
    this.#files = options.testFiles.map((file) => resolve(file));
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    globalThis.__vitest_worker__ = { config: { expect: {} }, environment: { name: 'node' }, metaEnv: {} };
    // Only now can it be read: it asks for its worker.
    const { TestRunner } = await import('vitest');
    this.#bodyOf = TestRunner.getTestFn;
    // The same cases for each mutant, no search for the smallest that fails, and no longer than tells anything.
    fc.configureGlobal({ seed: 1, endOnFailure: true, interruptAfterTimeLimit: 250 });
    for (const event of ['unhandledRejection', 'uncaughtException'])
      process.on(event, (error) => {
        this.#stray ??= String(error?.message ?? error);
      });
    this.#server = await createViteServer({
      configFile: false,
      logLevel: 'error',
      appType: 'custom',
      server: { middlewareMode: true, hmr: false, ws: false, watch: null },
      optimizeDeps: { noDiscovery: true },
    });
    this.#modules = this.#server.environments.ssr.runner;
  }

  async dryRun() {
    this.#mutants.activeMutant = undefined;
    this.#filter = undefined;
    const files = await this.#run(this.#files, false);
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
    for (const { id } of tests) if (this.#passedOver.test(id)) delete mutantCoverage.perTest[id];
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
    // Where a whole file or a hook failed, its first test stands for it.
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

  /** Runs the tests of files; with `bail` up to the first failure. `mutant` begins to live when all is loaded. */
  async #run(files, bail, mutant) {
    this.#stray = undefined;
    this.#failed = undefined;
    const costOf = (file) => this.#costs.get(file) ?? 0;
    const inOrder = files.toSorted((a, b) => costOf(a) - costOf(b));
    const ran = await startTests(inOrder, {
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
        const passedOver = this.#filter && task.type === 'test' && !this.#filter.has(idOf(task));
        if (passedOver || (bail && this.#failed)) task.mode = 'skip';
        if (task.type === 'test') this.#mutants.currentTestId = idOf(task);
      },
      runTask: (test) => endOrHang(this.#bodyOf(test)),
      onAfterRunTask: (task) => {
        if (task.type === 'test' && task.result?.state === 'fail') this.#failed ??= task;
        this.#mutants.currentTestId = undefined;
      },
    });
    if (!this.#failed)
      for (const { filepath, result } of ran) this.#costs.set(filepath, result?.duration ?? 0);
    await new Promise((settled) => setImmediate(settled));
    return ran;
  }
}

const createRunner = (options) => new InProcessRunner(options);
createRunner.inject = ['options'];

/** `passedOver`: a pattern of tests, `file#name`, that are run once and tried on no mutant. */
export const strykerValidationSchema = {
  type: 'object',
  properties: { passedOver: { type: 'string', default: '^$' } },
};

export const strykerPlugins = [{ kind: 'TestRunner', name: 'in-process', factory: createRunner }];

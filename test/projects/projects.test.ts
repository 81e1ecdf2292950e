import { describe, expect, test } from 'vitest';
import { FilterId, MonitoringResultId, ProjectKey } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import type { MarketplaceClient } from '../../src/marketplace/client.ts';
import { MarketplaceError } from '../../src/marketplace/errors.ts';
import type { LookedUpProject } from '../../src/marketplace/schema.ts';
import { createProjectService } from '../../src/projects/projects.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { ANN, DESIGN, openedBook, RESET, START, WEB } from '../credits/books.ts';
import { fakeMarketplace } from '../fake-marketplace.ts';

const project: LookedUpProject = {
  key: ProjectKey.parse('~01'),
  title: 'A booking site',
  url: 'https://example.com/~01',
  description: '',
  skills: [],
  categories: [],
  questions: [],
  client: {},
  clientMore: {},
  workHistory: [],
};
const ONE = { ciphertext: '~01' };
const designer = { channel: DESIGN, user: ANN };
const developer = { channel: WEB, user: ANN };

function opened(answers: Partial<MarketplaceClient>, budget = 500) {
  const clock = new ManualClock(START);
  const { marketplace, calls } = fakeMarketplace(answers);
  const { store, book, ...others } = openedBook(budget);
  let turn = 0;
  const random = () => (turn++ % 1_000) / 1_000;
  const projects = createProjectService({
    store,
    credits: book,
    marketplace,
    gate: { status: () => ({ limitPerMinute: 30, used: 0, waiting: 0 }) },
    clock,
    random,
    log: silentLog,
  });
  return { projects, calls, clock, ...others };
}

const answered = (consumed = 1, remaining = 99) => ({
  project,
  credits: { consumed, remaining, resetsAt: RESET },
});

describe('looking a project up', () => {
  test('costs a credit of the channel, and is in its ledger with who asked', async () => {
    const { projects, budget, ledger } = opened({ lookUpProject: async () => answered() });
    expect(await projects.lookUp(designer, ONE)).toEqual({ kind: 'found', project, charged: 1 });
    expect(await budget(DESIGN)).toMatchObject({ settled: 1, reserved: 0 });
    expect(await ledger(DESIGN)).toMatchObject([
      { purchase: { endpoint: 'lookup', subject: '~01' }, user: ANN, credits: 1 },
    ]);
  });

  test('of what is no project costs nothing', async () => {
    const error = new MarketplaceError('not-found', 'none', 'no such project');
    const { projects, budget } = opened({ lookUpProject: () => Promise.reject(error) });
    expect(await projects.lookUp(designer, ONE)).toEqual({ kind: 'failed', error });
    expect(await budget(DESIGN)).toMatchObject({ settled: 0, reserved: 0 });
  });

  test('that breaks in a way nobody foresaw keeps its credit reserved too', async () => {
    const { projects, budget } = opened({ lookUpProject: () => Promise.reject(new TypeError('oops')) });
    await expect(projects.lookUp(designer, ONE)).rejects.toThrow('oops');
    expect(await budget(DESIGN)).toMatchObject({ settled: 0, reserved: 1 });
  });

  test('on a spent account says so, and asks again only after a pause', async () => {
    const details = { creditsNeeded: 1, creditsRemaining: 0, creditsResetAt: RESET };
    const error = new MarketplaceError('credits-depleted', 'none', 'Insufficient credits', details);
    const { projects, calls, budget, account } = opened({ lookUpProject: () => Promise.reject(error) });
    const spent = { kind: 'account-spent', remaining: 0, until: RESET, looksLikeTrial: true };
    expect(await projects.lookUp(designer, ONE)).toEqual(spent);
    expect(await projects.lookUp(designer, ONE)).toMatchObject(spent);
    expect(calls).toHaveLength(1);
    expect(await budget(DESIGN)).toMatchObject({ settled: 0, reserved: 0 });
    expect(await account()).toMatchObject({ spentSince: START });
  });
});

describe('the projects of a monitoring result', () => {
  const page = { projects: [], unreadable: 1, paging: { page: 2, pages: 3 } };

  test('reserve a page of ten and cost what is new', async () => {
    const { projects, calls, budget } = opened({
      fetchResultProjects: async () => ({
        ...page,
        credits: { consumed: 4, remaining: 96, resetsAt: RESET },
      }),
    });
    const outcome = await projects.buyResultProjects(designer, MonitoringResultId.parse(5), 2);
    expect(outcome).toEqual({ kind: 'found', ...page, charged: 4 });
    expect(calls).toMatchObject([{ parameters: [5, { page: 2, limit: 10 }, { lane: 'person' }] }]);
    expect(await budget(DESIGN)).toMatchObject({ settled: 4, reserved: 0 });
  });

  test('are not bought with fewer than ten credits left', async () => {
    const { projects, calls } = opened({}, 9);
    expect(await projects.buyResultProjects(designer, MonitoringResultId.parse(5), 1)).toEqual({
      kind: 'no-budget',
      isShared: true,
      left: 9,
      held: 0,
      needs: 10,
      resetsAt: RESET,
    });
    expect(calls).toEqual([]);
  });
});

describe('a page that a lost one holds up', () => {
  const lost = new MarketplaceError('timeout', 'unknown', 'no answer');
  const gone = new MarketplaceError('not-found', 'none', 'no such project');

  /** After a project's lookup a page gets lost, which reserves all of the channel's credits. */
  async function heldUp(question: () => Promise<ReturnType<typeof answered>>) {
    const found = { projects: [], unreadable: 0, paging: {}, credits: { consumed: 2, remaining: 97 } };
    const pages = [lost, found];
    const lookups = [async () => answered(), question];
    const desk = opened({
      lookUpProject: () => lookups.shift()?.() ?? Promise.reject(lost),
      fetchResultProjects: async () => {
        const next = pages.shift();
        if (!next || next instanceof Error) throw next;
        return next;
      },
    });
    await desk.setBudget(DESIGN, 10);
    await desk.projects.lookUp(developer, ONE);
    await desk.projects.buyResultProjects(designer, MonitoringResultId.parse(5), 1);
    const outcome = await desk.projects.buyResultProjects(designer, MonitoringResultId.parse(5), 1);
    return { outcome, budget: await desk.budget(DESIGN) };
  }

  test('is bought once a question that costs nothing has told the balance', async () => {
    const { outcome, budget } = await heldUp(async () => answered(0, 99));
    expect(outcome).toMatchObject({ kind: 'found', charged: 2 });
    expect(budget).toMatchObject({ settled: 2, reserved: 0 });
  });

  test.each([
    ['is refused', gone],
    ['gets no answer', lost],
  ])('is not bought, and what is held is told, where the question %s', async (_, error) => {
    const { outcome, budget } = await heldUp(() => Promise.reject(error));
    expect(outcome).toMatchObject({ kind: 'no-budget', left: 0, held: 10, needs: 10 });
    expect(budget).toMatchObject({ settled: 0, reserved: 10 });
  });
});

test('monitoring results of a filter cost nothing, and a refusal is told', async () => {
  const error = new MarketplaceError('not-found', 'none', 'no such filter');
  const found = { items: [{ id: MonitoringResultId.parse(5) }], unreadable: 0, paging: {} };
  const { projects, ledger } = opened({
    fetchFilterResults: async (filter) => {
      if (filter === 8) throw error;
      return found;
    },
  });
  expect(await projects.listFilterResults(FilterId.parse(7), 1)).toEqual({ kind: 'found', page: found });
  expect(await projects.listFilterResults(FilterId.parse(8), 1)).toEqual({ kind: 'failed', error });
  expect(await ledger()).toEqual([]);
});

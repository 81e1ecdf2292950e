/**
 * Drafts keep every step, and one press creates at most one template, in any order of presses, losses,
 * refusals, edits and crashes.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { auditEntries } from '../../src/audit/audit.ts';
import { DAY } from '../../src/clock.ts';
import { type DraftId, TeamId, TemplateId, UserId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import type { MarketplaceClient } from '../../src/marketplace/client.ts';
import { MarketplaceError } from '../../src/marketplace/errors.ts';
import type { ProposalTemplate, ProposalTemplateInput } from '../../src/marketplace/schema.ts';
import { StorageError, type Store } from '../../src/storage/store.ts';
import { MAX_TEMPLATE_FORM_LENGTH } from '../../src/templates/drafts.ts';
import type { TemplateForm } from '../../src/templates/form.ts';
import { isCreationUncertain, type TemplateDraft, templateDrafts } from '../../src/templates/records.ts';
import { createTemplateService, type TemplateService } from '../../src/templates/templates.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { fakeMarketplace } from '../fake-marketplace.ts';
import { createMemoryStore, type MemoryStore } from '../memory-store.ts';
import { seededRandom } from '../seeded-random.ts';
import { changed, LARGEST, SMALLEST, template } from './forms.ts';

const TEAM = TeamId.parse('T1');
const ANN = UserId.parse('UANN');
const BEN = UserId.parse('UBEN');

interface Earlier {
  readonly store?: MemoryStore;
  readonly clock?: ManualClock;
}

function openWorld(answers: Partial<MarketplaceClient> = {}, earlier: Earlier = {}) {
  const store = earlier.store ?? createMemoryStore();
  const clock = earlier.clock ?? new ManualClock();
  const { marketplace, calls } = fakeMarketplace(answers);
  const random = seededRandom(7);
  const templates = createTemplateService({ team: TEAM, store, marketplace, clock, random, log: silentLog });
  return {
    store,
    clock,
    templates,
    calls,
    /** A draft with this form, as its review shows it. */
    filled: async (form: TemplateForm, user = ANN): Promise<TemplateDraft> => {
      const started = await templates.drafts.create({ user });
      if (started.kind !== 'created') throw new Error(started.kind);
      const saved = await templates.drafts.save({ user, draft: started.draft.id, change: () => form });
      if (saved.kind !== 'saved') throw new Error(saved.kind);
      return saved.draft;
    },
    audit: () =>
      store.read(async (tx) =>
        (await tx.list(auditEntries, { prefix: [TEAM], limit: 100 })).map(({ value }) => value),
      ),
    /** The next start of the app on the same store. */
    again: (next: Partial<MarketplaceClient> = answers) => openWorld(next, { store, clock }),
  };
}

/** A promise that is settled from outside. */
function pending<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

test('a step that is saved leaves the other steps alone, even when two are saved at once', async () => {
  const { templates, filled } = openWorld();
  const { id: draft } = await filled(SMALLEST);
  const rate = { hourly: { rate: '50' } };
  await Promise.all([
    templates.drafts.save({ user: ANN, draft, change: (form) => ({ ...form, name: 'M' }) }),
    templates.drafts.save({ user: ANN, draft, change: (form) => changed(form, rate) }),
    templates.drafts.save({ user: ANN, draft, room: { 'ai.instructions': 4 } }),
    templates.drafts.save({ user: ANN, draft, room: { 'letters.variantA': 2 } }),
  ]);
  expect(await templates.drafts.read({ user: ANN, draft })).toMatchObject({
    form: changed(SMALLEST, { name: 'M', ...rate }),
    room: { 'ai.instructions': 4, 'letters.variantA': 2 },
  });
});

test('texts beyond all measure are refused, those of the largest template are kept', async () => {
  const { templates, filled } = openWorld();
  const { id: draft } = await filled(LARGEST);
  const change = () => ({ ...LARGEST, name: 'x'.repeat(MAX_TEMPLATE_FORM_LENGTH) });
  expect((await templates.drafts.save({ user: ANN, draft, change })).kind).toBe('too-large');
  expect((await templates.drafts.read({ user: ANN, draft }))?.form).toEqual(LARGEST);
});

test('drafts of 60 days ago are no one’s, and are cleared out a few at a time', async () => {
  const { templates, filled, clock, store } = openWorld();
  for (let count = 0; count < 20; count++) await filled(SMALLEST);
  clock.moveBy(60 * DAY);
  expect(await templates.drafts.list(ANN)).toHaveLength(20);
  clock.moveBy(1);
  expect(await templates.drafts.list(ANN)).toEqual([]);
  const left = [];
  for (let count = 0; count < 5; count++) {
    await templates.drafts.create({ user: BEN });
    left.push((await store.read((tx) => tx.list(templateDrafts, { prefix: [TEAM], limit: 100 }))).length);
  }
  expect(left).toEqual([16, 12, 8, 4, 5]);
});

test('nothing of a draft changes while it is being sent', async () => {
  const asked = pending<void>();
  const { templates, filled } = openWorld({
    createProposalTemplate: () => {
      asked.resolve();
      return pending<never>().promise;
    },
  });
  const { id: draft, revision: seen } = await filled(SMALLEST);
  void templates.submitDraft({ user: ANN, draft, seen });
  await asked.promise;
  expect((await templates.drafts.save({ user: ANN, draft, change: () => LARGEST })).kind).toBe('closed');
  expect((await templates.drafts.discard({ user: ANN, draft })).kind).toBe('closed');
});

type Step = { readonly which: number; readonly ticks: number } & (
  | { readonly do: 'look' | 'press' | 'edit' }
  /** The server's effect for a request, and whether its answer arrives. */
  | { readonly do: 'make' | 'make-and-fail' | 'refuse' | 'fail' }
  | { readonly do: 'full-disk' | 'crash' | 'wait' }
);

const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom(
    ...(['look', 'look', 'press', 'press', 'press', 'edit', 'make', 'refuse', 'fail'] as const),
    ...(['make-and-fail', 'full-disk', 'crash', 'wait'] as const),
  ),
  which: fc.nat(1),
  ticks: fc.constantFrom(0, 1, 2, 3, 5, 8, 50),
});

async function tick(times: number): Promise<void> {
  for (let count = 0; count < times; count++) await Promise.resolve();
}

/** One process's store: after its death it reads and writes nothing. */
class Life {
  #dead = false;

  die(): void {
    this.#dead = true;
  }

  over(store: Store): Store {
    const alive = async <T>(work: () => Promise<T>): Promise<T> => {
      if (this.#dead) return new Promise<T>(() => undefined);
      const value = await work();
      return this.#dead ? new Promise<T>(() => undefined) : value;
    };
    return {
      onCommit: (collections, call) => store.onCommit(collections, call),
      transact: (work) => alive(() => store.transact(work)),
      read: (work) => alive(() => store.read(work)),
      close: () => Promise.resolve(),
    };
  }
}

/** The press behind a request: the draft, and its revision on the screen. */
const pressed = new AsyncLocalStorage<string>();

interface Request {
  readonly draft: string;
  readonly attempt: number;
  readonly answer: ReturnType<typeof pending<ProposalTemplate>>;
  made?: number;
}

class Play {
  readonly world = openWorld();
  readonly clock = new ManualClock();
  readonly requests: Request[] = [];
  readonly presses: Promise<unknown>[] = [];
  /** The press of each request. */
  readonly sent: string[] = [];
  drafts: readonly DraftId[] = [];
  #screens: number[] = [];
  #waiting: Request[] = [];
  #life = new Life();
  #made = 0;
  #templates: TemplateService = this.#born();

  async begin(): Promise<void> {
    const one = await this.world.filled({ ...SMALLEST, name: 'one' });
    const two = await this.world.filled({ ...SMALLEST, name: 'two' });
    this.drafts = [one.id, two.id];
    this.#screens = [one.revision, two.revision];
  }

  #born(): TemplateService {
    this.#life = new Life();
    const store = this.#life.over(this.world.store);
    const { marketplace } = fakeMarketplace({ createProposalTemplate: (input) => this.#receive(input) });
    const random = seededRandom(3);
    return createTemplateService({
      team: TEAM,
      store,
      marketplace,
      clock: this.clock,
      random,
      log: silentLog,
    });
  }

  async #receive({ name }: ProposalTemplateInput): Promise<ProposalTemplate> {
    const claimed = await this.stored(name.startsWith('one') ? 0 : 1);
    this.sent.push(pressed.getStore() ?? 'without a press');
    expect(claimed.state).toBe('sending');
    const request = { draft: claimed.id, attempt: claimed.attempt, answer: pending<ProposalTemplate>() };
    this.requests.push(request);
    this.#waiting.push(request);
    return request.answer.promise;
  }

  async stored(which: number): Promise<TemplateDraft> {
    const id = this.drafts[which] ?? '';
    const draft = await this.world.store.read((tx) => tx.get(templateDrafts, [TEAM, ANN, id]));
    return draft ?? expect.fail('the draft is gone');
  }

  async play({ do: what, which, ticks }: Step): Promise<void> {
    const draft = this.drafts[which] ?? expect.fail();
    switch (what) {
      case 'look':
        this.#screens[which] = (await this.stored(which)).revision;
        break;
      case 'press':
        this.#press(this.#submit(draft, this.#screens[which] ?? 0));
        break;
      case 'edit':
        this.#press(
          this.#templates.drafts.save({
            user: ANN,
            draft,
            change: (form) => ({ ...form, name: `${form.name}.` }),
          }),
        );
        break;
      case 'full-disk':
        this.world.store.failNext();
        break;
      case 'crash':
        await this.crash();
        break;
      case 'wait':
        await tick(50);
        break;
      case 'make':
      case 'make-and-fail':
      case 'refuse':
      case 'fail':
        this.#serve(what);
    }
    await tick(ticks);
  }

  #submit(draft: DraftId, seen: number): Promise<unknown> {
    return pressed.run(`${draft} ${seen}`, () => this.#templates.submitDraft({ user: ANN, draft, seen }));
  }

  #press(doing: Promise<unknown>): void {
    const refused = (thrown: unknown) => {
      if (!(thrown instanceof StorageError)) throw thrown;
    };
    this.presses.push(doing.catch(refused));
  }

  #serve(what: 'make' | 'make-and-fail' | 'refuse' | 'fail'): void {
    const request = this.#waiting.shift();
    if (!request) return;
    if (what === 'make' || what === 'make-and-fail') request.made = ++this.#made;
    if (what === 'make')
      request.answer.resolve(template({ id: TemplateId.parse(request.made), name: request.draft }));
    else if (what === 'refuse') request.answer.reject(new MarketplaceError('bad-request', 'none', 'no'));
    else request.answer.reject(new MarketplaceError('server', 'unknown', 'failed'));
  }

  /** Kills the process at any point, and restarts it. */
  async crash(): Promise<void> {
    this.#life.die();
    this.presses.length = 0;
    this.#templates = this.#born();
    // A full disk prevents the start: retry until it works.
    await this.#templates.recoverUnansweredClaims().catch(() => this.#templates.recoverUnansweredClaims());
  }

  /** Finishes all pending work. */
  async end(): Promise<void> {
    await tick(200);
    while (this.#waiting.length > 0) {
      this.#serve('make');
      await tick(200);
    }
    await Promise.all(this.presses);
    // Twice: the disk may have been full one last time.
    await this.#templates.drafts.list(ANN);
    await this.#templates.drafts.list(ANN);
  }
}

async function expectHonest(game: Play): Promise<void> {
  expect(game.sent).not.toContain('without a press');
  expect(new Set(game.sent).size).toBe(game.sent.length);
  const entries = (await game.world.audit()).filter((entry) => entry.act.kind === 'template');
  for (const [which, id] of game.drafts.entries()) {
    const draft = await game.stored(which);
    const requests = game.requests.filter((request) => request.draft === id);
    expect(draft.state).not.toBe('sending');
    expect(requests.length).toBeLessThanOrEqual(draft.attempt);
    const made = requests.filter((request) => request.made !== undefined);
    if (draft.state === 'created') {
      // The last requested template exists.
      expect(draft.template?.id).toBe(requests.at(-1)?.made);
      expect(draft.attempt).toBe(requests.at(-1)?.attempt);
    } else if (made.length > 0) {
      expect(isCreationUncertain(draft)).toBe(true);
    }
    for (const request of made) {
      const told = entries.find(
        ({ act }) =>
          act.kind === 'template' &&
          act.attempt === request.attempt &&
          act.name.startsWith(which === 0 ? 'one' : 'two'),
      );
      expect(told?.answer?.kind).toMatch(/^(created|unknown)$/u);
      if (told?.answer?.kind === 'created') expect(told.answer.template).toBe(request.made);
    }
  }
}

test('at most one request for what a press had seen, and no template is ever denied', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      const game = new Play();
      await game.begin();
      for (const each of steps) await game.play(each);
      await game.end();
      await expectHonest(game);
    }),
    { numRuns: 300 },
  );
});

test('the play reaches every outcome', async () => {
  const states = new Set<string>();
  let most = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 60 }), async (steps) => {
      const game = new Play();
      await game.begin();
      for (const each of steps) await game.play(each);
      await game.end();
      for (const which of [0, 1]) {
        const { state, attempt } = await game.stored(which);
        states.add(state);
        most = Math.max(most, attempt);
      }
    }),
    { numRuns: 60 },
  );
  expect([...states].sort()).toEqual(['created', 'open', 'refused', 'unknown']);
  expect(most).toBeGreaterThan(2);
});

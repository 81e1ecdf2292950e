/**
 * One press creates at most one template, and none is denied, in any order of presses, losses, refusals,
 * edits, full disks and crashes.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { auditEntries } from '../../src/audit/audit.ts';
import { type DraftId, TemplateId, UserId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { MarketplaceError } from '../../src/marketplace/errors.ts';
import { ProposalTemplate, type ProposalTemplateInput } from '../../src/marketplace/schema.ts';
import { parseProposalTemplate } from '../../src/marketplace/wire/proposals.ts';
import { StorageError, type Store } from '../../src/storage/store.ts';
import { MAX_TEMPLATE_FORM_LENGTH } from '../../src/templates/drafts.ts';
import type { TemplateForm } from '../../src/templates/form.ts';
import { isCreationUncertain, type TemplateDraft, templateDrafts } from '../../src/templates/records.ts';
import { createTemplateService } from '../../src/templates/templates.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { fakeMarketplace } from '../fake-marketplace.ts';
import { createMemoryStore } from '../memory-store.ts';
import { seededRandom } from '../seeded-random.ts';
import { SMALLEST } from './forms.ts';

const user = UserId.parse('UANN');

type Create = (input: ProposalTemplateInput) => Promise<ProposalTemplate>;

function serviceOver(store: Store, clock: ManualClock, create: Create = () => expect.fail('asked')) {
  const { marketplace } = fakeMarketplace({ createProposalTemplate: create });
  return createTemplateService({ store, marketplace, clock, random: seededRandom(7), log: silentLog });
}

async function begin(templates: ReturnType<typeof serviceOver>, name: string): Promise<TemplateDraft> {
  const started = await templates.drafts.create({ user });
  if (started.kind !== 'created') return expect.fail(started.kind);
  const change = () => ({ ...SMALLEST, name });
  const saved = await templates.drafts.save({ user, draft: started.draft.id, change });
  return saved.kind === 'saved' ? saved.draft : expect.fail(saved.kind);
}

test('texts beyond all measure are refused, and change nothing', async () => {
  const templates = serviceOver(createMemoryStore(), new ManualClock());
  const { id: draft } = await begin(templates, 'N');
  const change = () => ({ ...SMALLEST, name: 'x'.repeat(MAX_TEMPLATE_FORM_LENGTH) });
  expect((await templates.drafts.save({ user, draft, change })).kind).toBe('too-large');
  expect((await templates.drafts.read({ user, draft }))?.form).toEqual({ ...SMALLEST, name: 'N' });
});

const MOVES = ['wait', 'look', 'look', 'press', 'press', 'press', 'edit', 'full-disk', 'crash'] as const;
const Moves = fc.array(fc.record({ what: fc.constantFrom(...MOVES), which: fc.constantFrom(0, 1) }), {
  minLength: 5,
  maxLength: 50,
});
interface Move {
  readonly what: (typeof MOVES)[number];
  readonly which: number;
}
/** What the marketplace does with each request. */
const Effects = fc.infiniteStream(fc.constantFrom('make', 'refuse', 'fail', 'make and fail'));

interface Request {
  readonly draft: DraftId;
  readonly attempt: number;
  made?: TemplateId;
}

const never = new Promise<never>(() => undefined);

/** The press behind a request: the draft, and its revision on the screen. */
const pressed = new AsyncLocalStorage<string>();

/** Two drafts, and processes that die and start again. */
class Play {
  readonly requests: Request[] = [];
  /** The draft and revision behind each request. */
  readonly sent: string[] = [];
  /** As they are on the screen. */
  readonly drafts: TemplateDraft[] = [];
  readonly store = createMemoryStore();
  readonly #clock = new ManualClock();
  readonly #turn: () => Promise<void>;
  readonly #effects: fc.Stream<string>;
  #presses: Promise<unknown>[] = [];
  #crash = () => {};
  #templates = this.#start();

  constructor(scheduler: fc.Scheduler, effects: fc.Stream<string>) {
    this.#turn = () => scheduler.schedule(Promise.resolve());
    this.#effects = effects;
  }

  /** A new process. Whatever the last one waits for never comes. */
  #start() {
    this.#crash();
    let isAlive = true;
    this.#crash = () => {
      isAlive = false;
    };
    const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
      await this.#turn();
      const value = isAlive ? await work() : await never;
      await this.#turn();
      return isAlive ? value : never;
    };
    const { store } = this;
    const disk: Store = {
      ...store,
      transact: (work) => inTurn(() => store.transact(work)),
      read: (work) => inTurn(() => store.read(work)),
    };
    return serviceOver(disk, this.#clock, (input) => this.#receive(input));
  }

  async begin(): Promise<void> {
    const templates = serviceOver(this.store, this.#clock);
    for (const name of ['0', '1']) this.drafts.push(await begin(templates, name));
  }

  async stored(which: number): Promise<TemplateDraft> {
    const id = this.drafts[which]?.id ?? '';
    const draft = await this.store.read((tx) => tx.get(templateDrafts, [user, id]));
    return draft ?? expect.fail('the draft is gone');
  }

  async #receive({ name }: ProposalTemplateInput): Promise<ProposalTemplate> {
    const { state, id, attempt } = await this.stored(Number(name.charAt(0)));
    expect(state).toBe('sending');
    const request: Request = { draft: id, attempt };
    this.requests.push(request);
    this.sent.push(pressed.getStore() ?? expect.fail('without a press'));
    const effect = this.#effects.next().value;
    await this.#turn();
    if (effect.startsWith('make')) request.made = TemplateId.parse(this.requests.length);
    await this.#turn();
    if (effect === 'make') return ProposalTemplate.parse(parseProposalTemplate({ id: request.made }));
    throw effect === 'refuse'
      ? new MarketplaceError('bad-request', 'none', 'no')
      : new MarketplaceError('server', 'unknown', 'failed');
  }

  async play(moves: readonly Move[]): Promise<void> {
    for (const move of moves) {
      await this.#turn();
      this.#clock.moveBy(1);
      await this.#do(move);
    }
    await Promise.all(this.#presses);
    // Twice: the disk may have been full one last time.
    await this.#templates.drafts.list(user);
    await this.#templates.drafts.list(user);
  }

  async #do({ what, which }: Move): Promise<void> {
    const { id: draft, revision: seen } = this.drafts[which] ?? expect.fail('no draft');
    switch (what) {
      case 'wait':
        for (let turns = 0; turns < 20; turns++) await this.#turn();
        break;
      case 'look':
        this.drafts[which] = await this.stored(which);
        break;
      case 'press':
        this.#press(
          pressed.run(`${draft} ${seen}`, () => this.#templates.submitDraft({ user, draft, seen })),
        );
        break;
      case 'edit': {
        const change = (form: TemplateForm) => ({ ...form, name: `${form.name}.` });
        this.#press(this.#templates.drafts.save({ user, draft, change }));
        break;
      }
      case 'full-disk':
        this.store.failNext();
        break;
      case 'crash':
        this.#presses = [];
        this.#templates = this.#start();
        // A full disk prevents the start.
        await this.#templates
          .recoverUnansweredClaims()
          .catch(() => this.#templates.recoverUnansweredClaims());
    }
  }

  #press(doing: Promise<unknown>): void {
    const refused = (thrown: unknown) => {
      if (!(thrown instanceof StorageError)) throw thrown;
    };
    this.#presses.push(doing.catch(refused));
  }
}

async function expectHonest(game: Play): Promise<void> {
  expect(new Set(game.sent).size).toBe(game.sent.length);
  const entries = await game.store.read((tx) => tx.list(auditEntries, { limit: 1_000 }));
  for (const which of [0, 1]) {
    const draft = await game.stored(which);
    const requests = game.requests.filter((it) => it.draft === draft.id);
    expect(draft.state).not.toBe('sending');
    expect(requests.length).toBeLessThanOrEqual(draft.attempt);
    const made = requests.filter((it) => it.made !== undefined);
    if (draft.state === 'created') {
      expect(draft.template?.id).toBe(requests.at(-1)?.made);
      expect(draft.attempt).toBe(requests.at(-1)?.attempt);
    } else if (made.length > 0) {
      expect(isCreationUncertain(draft)).toBe(true);
    }
    for (const request of made) {
      const told = entries.find(({ value: { act } }) => {
        const isThis = act.kind === 'template' && act.name.startsWith(`${which}`);
        return isThis && act.attempt === request.attempt;
      })?.value.answer;
      expect(told?.kind).toMatch(/^(created|unknown)$/u);
      if (told?.kind === 'created') expect(told.template).toBe(request.made);
    }
  }
}

test('at most one request for what a press had seen, and no template is ever denied', async () => {
  const states = new Set<string>();
  let most = 0;
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), Effects, Moves, async (scheduler, effects, moves) => {
      const game = new Play(scheduler, effects);
      await game.begin();
      await scheduler.waitFor(game.play(moves));
      await expectHonest(game);
      for (const which of [0, 1]) {
        const { state, attempt } = await game.stored(which);
        states.add(state);
        most = Math.max(most, attempt);
      }
    }),
    { numRuns: 150 },
  );
  // The play reaches every outcome.
  expect([...states].sort()).toEqual(['created', 'open', 'refused', 'unknown']);
  expect(most).toBeGreaterThan(2);
});

/** The modals that people have open, up to three on each other, and the published Homes. */
import type { Identifiers } from './identifiers.ts';
import type { Journal } from './journal.ts';
import type { Block, Json, View } from './objects.ts';
import { objectOf, textOf } from './reading.ts';

/** Three views on the stack: one opened, two pushed. */
export const STACK_LIMIT = 3;

export interface ViewDraft {
  readonly view: Json;
  readonly blocks: readonly Block[];
}

export class ViewStore {
  readonly #ids: Identifiers;
  readonly #journal: Journal;
  readonly #stacks = new Map<string, readonly View[]>();
  readonly #homes = new Map<string, View>();
  /** What people filled in so far, kept where the view is updated, by view id. */
  readonly #filled = new Map<string, Json>();

  constructor(ids: Identifiers, journal: Journal) {
    this.#ids = ids;
    this.#journal = journal;
  }

  stack(userId: string): readonly View[] {
    return this.#stacks.get(userId) ?? [];
  }

  top(userId: string): View | undefined {
    return this.stack(userId).at(-1);
  }

  home(userId: string): View | undefined {
    return this.#homes.get(userId);
  }

  find(match: { id?: string | undefined; externalId?: string | undefined }): View | undefined {
    const all = [...this.#stacks.values()].flat().concat([...this.#homes.values()]);
    return all.find((view) =>
      match.id === undefined
        ? match.externalId !== undefined && view.externalId === match.externalId
        : view.id === match.id,
    );
  }

  open(userId: string, draft: ViewDraft): View {
    const view = this.#make(userId, draft);
    this.#set(userId, [view]);
    return view;
  }

  push(userId: string, draft: ViewDraft): View {
    const view = this.#make(userId, draft, this.top(userId));
    this.#set(userId, [...this.stack(userId), view]);
    return view;
  }

  update(old: View, draft: ViewDraft): View {
    const view = { ...this.#make(old.userId, draft), id: old.id };
    const kept = { previousViewId: old.previousViewId, rootViewId: old.rootViewId };
    const updated: View = { ...view, ...kept };
    if (old.type === 'home') {
      this.#homes.set(old.userId, updated);
      this.#journal.tell({ kind: 'home', userId: old.userId });
      return updated;
    }
    this.#set(
      old.userId,
      this.stack(old.userId).map((each) => (each.id === old.id ? updated : each)),
    );
    return updated;
  }

  publish(userId: string, draft: ViewDraft): View {
    const old = this.#homes.get(userId);
    const view = { ...this.#make(userId, draft), ...(old ? { id: old.id, rootViewId: old.id } : {}) };
    this.#homes.set(userId, view);
    this.#journal.tell({ kind: 'home', userId });
    return view;
  }

  /** Takes the topmost view away. */
  pop(userId: string): void {
    this.#set(userId, this.stack(userId).slice(0, -1));
  }

  clearStack(userId: string): void {
    this.#set(userId, []);
  }

  filled(viewId: string): Json {
    return this.#filled.get(viewId) ?? {};
  }

  remember(viewId: string, state: Json): void {
    this.#filled.set(viewId, state);
  }

  clear(): void {
    this.#stacks.clear();
    this.#homes.clear();
    this.#filled.clear();
  }

  #set(userId: string, stack: readonly View[]): void {
    this.#stacks.set(userId, stack);
    this.#journal.tell({ kind: 'view', userId });
  }

  #make(userId: string, draft: ViewDraft, below?: View): View {
    const { view } = draft;
    const id = this.#ids.next('V');
    return {
      id,
      type: view['type'] === 'home' ? 'home' : 'modal',
      userId,
      callbackId: textOf(view['callback_id']) ?? '',
      externalId: textOf(view['external_id']) ?? '',
      title: textOf(objectOf(view['title'])['text']) ?? '',
      submit: textOf(objectOf(view['submit'])['text']),
      close: textOf(objectOf(view['close'])['text']),
      blocks: draft.blocks,
      privateMetadata: textOf(view['private_metadata']) ?? '',
      notifyOnClose: view['notify_on_close'] === true,
      clearOnClose: view['clear_on_close'] === true,
      hash: `${this.#ids.ts()}.${this.#ids.token(8)}`,
      previousViewId: below?.id,
      rootViewId: below?.rootViewId ?? id,
    };
  }
}

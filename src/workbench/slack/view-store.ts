/** People's open modals, up to three in a stack, and the published Homes. */

import type { SlackActivityLog } from './activity-log.ts';
import type { SlackIdGenerator } from './identifiers.ts';
import { objectOrEmpty, stringOrUndefined } from './json-reading.ts';
import type { Block, JsonObject, SlackView } from './objects.ts';

/** Three views in a stack: one opened, two pushed. */
export const MAX_STACKED_VIEWS = 3;

export interface ViewDraft {
  readonly view: JsonObject;
  readonly blocks: readonly Block[];
}

export class ViewStore {
  readonly #ids: SlackIdGenerator;
  readonly #journal: SlackActivityLog;
  readonly #stacks = new Map<string, readonly SlackView[]>();
  readonly #homes = new Map<string, SlackView>();
  /** People's input by view ID, kept across updates of the view. */
  readonly #filled = new Map<string, JsonObject>();

  constructor(ids: SlackIdGenerator, journal: SlackActivityLog) {
    this.#ids = ids;
    this.#journal = journal;
  }

  stack(userId: string): readonly SlackView[] {
    return this.#stacks.get(userId) ?? [];
  }

  top(userId: string): SlackView | undefined {
    return this.stack(userId).at(-1);
  }

  home(userId: string): SlackView | undefined {
    return this.#homes.get(userId);
  }

  find(match: { id?: string | undefined; externalId?: string | undefined }): SlackView | undefined {
    const all = [...this.#stacks.values()].flat().concat([...this.#homes.values()]);
    return all.find((view) =>
      match.id === undefined
        ? match.externalId !== undefined && view.externalId === match.externalId
        : view.id === match.id,
    );
  }

  open(userId: string, draft: ViewDraft): SlackView {
    const view = this.#make(userId, draft);
    this.#set(userId, [view]);
    return view;
  }

  push(userId: string, draft: ViewDraft): SlackView {
    const view = this.#make(userId, draft, this.top(userId));
    this.#set(userId, [...this.stack(userId), view]);
    return view;
  }

  update(old: SlackView, draft: ViewDraft): SlackView {
    const view = { ...this.#make(old.userId, draft), id: old.id };
    const kept = { previousViewId: old.previousViewId, rootViewId: old.rootViewId };
    const updated: SlackView = { ...view, ...kept };
    if (old.type === 'home') {
      this.#homes.set(old.userId, updated);
      this.#journal.emitChange({ kind: 'home', userId: old.userId });
      return updated;
    }
    this.#set(
      old.userId,
      this.stack(old.userId).map((each) => (each.id === old.id ? updated : each)),
    );
    return updated;
  }

  publish(userId: string, draft: ViewDraft): SlackView {
    const old = this.#homes.get(userId);
    const view = { ...this.#make(userId, draft), ...(old ? { id: old.id, rootViewId: old.id } : {}) };
    this.#homes.set(userId, view);
    this.#journal.emitChange({ kind: 'home', userId });
    return view;
  }

  pop(userId: string): void {
    this.#set(userId, this.stack(userId).slice(0, -1));
  }

  clearStack(userId: string): void {
    this.#set(userId, []);
  }

  filledState(viewId: string): JsonObject {
    return this.#filled.get(viewId) ?? {};
  }

  rememberState(viewId: string, state: JsonObject): void {
    this.#filled.set(viewId, state);
  }

  clear(): void {
    this.#stacks.clear();
    this.#homes.clear();
    this.#filled.clear();
  }

  #set(userId: string, stack: readonly SlackView[]): void {
    this.#stacks.set(userId, stack);
    this.#journal.emitChange({ kind: 'view', userId });
  }

  #make(userId: string, draft: ViewDraft, below?: SlackView): SlackView {
    const { view } = draft;
    const id = this.#ids.nextId('V');
    return {
      id,
      type: view['type'] === 'home' ? 'home' : 'modal',
      userId,
      callbackId: stringOrUndefined(view['callback_id']) ?? '',
      externalId: stringOrUndefined(view['external_id']) ?? '',
      title: stringOrUndefined(objectOrEmpty(view['title'])['text']) ?? '',
      submit: stringOrUndefined(objectOrEmpty(view['submit'])['text']),
      close: stringOrUndefined(objectOrEmpty(view['close'])['text']),
      blocks: draft.blocks,
      privateMetadata: stringOrUndefined(view['private_metadata']) ?? '',
      notifyOnClose: view['notify_on_close'] === true,
      clearOnClose: view['clear_on_close'] === true,
      hash: `${this.#ids.nextTs()}.${this.#ids.randomToken(8)}`,
      previousViewId: below?.id,
      rootViewId: below?.rootViewId ?? id,
    };
  }
}

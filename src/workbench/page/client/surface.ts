/** A message, an unfurled link or a view: its elements and their unsent input. */
import type { PageActionTarget, ShownBlock, ShownElement, ShownOption } from '../protocol.ts';
import { askToConfirm } from './confirm.ts';
import type { PageContext } from './page-context.ts';
import {
  elementKey,
  filterInputForUpdatedBlocks,
  type InputValue,
  toPageInputValues,
  type UnsentInput,
} from './unsent-input.ts';

export class ElementSurface {
  readonly desk: PageContext;
  readonly on: PageActionTarget;
  typed: UnsentInput = new Map();
  /** Names of options found or files uploaded here: the blocks contain only their values. */
  readonly #names = new Map<string, string>();
  readonly #pending = new Set<string>();
  #uploads: Promise<unknown> = Promise.resolve();

  constructor(desk: PageContext, on: PageActionTarget) {
    this.desk = desk;
    this.on = on;
  }

  setValue(element: ShownElement, value: InputValue): void {
    this.typed.set(elementKey(element), value);
  }

  rememberOptionName(element: ShownElement, value: string, name: string): void {
    this.#names.set(`${elementKey(element)} ${value}`, name);
  }

  /** The value itself if its name is unknown. */
  optionName(element: ShownElement, value: string): string {
    return this.#names.get(`${elementKey(element)} ${value}`) ?? value;
  }

  /** Call it before drawing the new blocks. */
  carryInputOver(before: readonly ShownBlock[], after: readonly ShownBlock[]): void {
    this.typed = filterInputForUpdatedBlocks(this.typed, before, after);
  }

  async press(element: ShownElement, control: HTMLElement): Promise<boolean> {
    const { actionId, blockId } = element;
    return this.#send(element, control, () => {
      const values = toPageInputValues(this.typed);
      return this.desk.performAction({ kind: 'press', on: this.on, actionId, blockId, values });
    });
  }

  /** False when the person declined or the action failed: then the control shows its old value again. */
  async choose(element: ShownElement, option: InputValue, control: HTMLElement): Promise<boolean> {
    const { actionId, blockId } = element;
    return this.#send(element, control, () => {
      const { [elementKey(element)]: _own, ...values } = toPageInputValues(this.typed);
      return this.desk.performAction({ kind: 'choose', on: this.on, actionId, blockId, option, values });
    });
  }

  /** The app's options for `query`, or a sentence that explains the failure. */
  async suggest(element: ShownElement, query: string): Promise<readonly ShownOption[] | string> {
    const { actionId, blockId } = element;
    const answer = await this.desk.api.performAction({
      kind: 'suggest',
      on: this.on,
      actionId,
      blockId,
      query,
    });
    if (!answer.ok) return answer.problem;
    return answer.options ?? answer.notice ?? [];
  }

  /** The ID of the uploaded file, or a sentence that explains the failure. */
  async upload(name: string, data: Promise<string>): Promise<{ id: string } | string> {
    const uploading = data.then(
      (read) => this.desk.api.performAction({ kind: 'upload', name, data: read }),
      () => ({ ok: false as const, problem: `Couldn't read “${name}”.` }),
    );
    this.#uploads = Promise.allSettled([this.#uploads, uploading]);
    const answer = await uploading;
    if (!answer.ok) return answer.problem;
    if (answer.file === undefined) return `Couldn't upload “${name}”.`;
    return { id: answer.file };
  }

  /** Resolves when all chosen files are uploaded. */
  async waitForUploads(): Promise<void> {
    await this.#uploads;
  }

  /** Sends one press at a time per element, so that a double click sends only one. */
  async #send(
    element: ShownElement,
    control: HTMLElement,
    send: () => Promise<{ ok: boolean }>,
  ): Promise<boolean> {
    const key = elementKey(element);
    if (this.#pending.has(key)) return false;
    this.#pending.add(key);
    try {
      if (element.confirm && !(await askToConfirm(element.confirm))) return false;
      control.setAttribute('aria-busy', 'true');
      const { ok } = await send();
      return ok;
    } finally {
      control.removeAttribute('aria-busy');
      this.#pending.delete(key);
    }
  }
}

/** A message, an unfurled link or a view: where elements stand, with what was filled in there so far. */
import type { PageActionTarget, ShownBlock, ShownElement, ShownOption } from '../protocol.ts';
import { askToConfirm } from './confirm.ts';
import type { PageContext } from './page-context.ts';
import {
  elementKey,
  type InputValue,
  keepMatchingInput,
  toPageInputValues,
  type UnsentInput,
} from './unsent-input.ts';

export class ElementSurface {
  readonly desk: PageContext;
  readonly on: PageActionTarget;
  typed: UnsentInput = new Map();
  /** Of what was found or uploaded here: the blocks know it by its value alone. */
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

  /** The value itself where nothing else is known. */
  optionName(element: ShownElement, value: string): string {
    return this.#names.get(`${elementKey(element)} ${value}`) ?? value;
  }

  /** To be called before the new blocks are drawn. */
  carryInputOver(before: readonly ShownBlock[], after: readonly ShownBlock[]): void {
    this.typed = keepMatchingInput(this.typed, before, after);
  }

  async press(element: ShownElement, control: HTMLElement): Promise<boolean> {
    const { actionId, blockId } = element;
    return this.#send(element, control, () => {
      const values = toPageInputValues(this.typed);
      return this.desk.performAction({ kind: 'press', on: this.on, actionId, blockId, values });
    });
  }

  /** False when the person said no, or nothing came of it: then the control goes back to what it was. */
  async choose(element: ShownElement, option: InputValue, control: HTMLElement): Promise<boolean> {
    const { actionId, blockId } = element;
    return this.#send(element, control, () => {
      const { [elementKey(element)]: _own, ...values } = toPageInputValues(this.typed);
      return this.desk.performAction({ kind: 'choose', on: this.on, actionId, blockId, option, values });
    });
  }

  /** What the app offers for `query`, or a sentence why nothing came. */
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

  /** The id of the uploaded file, or a sentence why there is none. */
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

  /** Resolves when everything that was chosen has arrived. */
  async waitForUploads(): Promise<void> {
    await this.#uploads;
  }

  /** One press at a time for each element: the second half of a double click is not sent. */
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

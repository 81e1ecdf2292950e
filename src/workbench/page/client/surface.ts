/** A message, an unfurled link or a view: where elements stand, with what was filled in there so far. */
import type { ActOn, ShownBlock, ShownElement, ShownOption } from '../protocol.ts';
import { askToConfirm } from './confirm.ts';
import type { Desk } from './desk.ts';
import { filledIn, keepTyped, keyOf, type Typed, type TypedValue } from './typed.ts';

export class Surface {
  readonly desk: Desk;
  readonly on: ActOn;
  typed: Typed = new Map();
  /** Of what was found or uploaded here: the blocks know it by its value alone. */
  readonly #names = new Map<string, string>();
  readonly #pending = new Set<string>();
  #uploads: Promise<unknown> = Promise.resolve();

  constructor(desk: Desk, on: ActOn) {
    this.desk = desk;
    this.on = on;
  }

  fill(element: ShownElement, value: TypedValue): void {
    this.typed.set(keyOf(element), value);
  }

  keepName(element: ShownElement, value: string, name: string): void {
    this.#names.set(`${keyOf(element)} ${value}`, name);
  }

  /** The value itself where nothing else is known. */
  nameOf(element: ShownElement, value: string): string {
    return this.#names.get(`${keyOf(element)} ${value}`) ?? value;
  }

  /** To be called before the new blocks are drawn. */
  updateBlocks(before: readonly ShownBlock[], after: readonly ShownBlock[]): void {
    this.typed = keepTyped(this.typed, before, after);
  }

  async press(element: ShownElement, control: HTMLElement): Promise<boolean> {
    const { actionId, blockId } = element;
    return this.#send(element, control, () => {
      const values = filledIn(this.typed);
      return this.desk.act({ kind: 'press', on: this.on, actionId, blockId, values });
    });
  }

  /** False when the person said no, or nothing came of it: then the control goes back to what it was. */
  async choose(element: ShownElement, option: TypedValue, control: HTMLElement): Promise<boolean> {
    const { actionId, blockId } = element;
    return this.#send(element, control, () => {
      const { [keyOf(element)]: _own, ...values } = filledIn(this.typed);
      return this.desk.act({ kind: 'choose', on: this.on, actionId, blockId, option, values });
    });
  }

  /** What the app offers for `query`, or a sentence why nothing came. */
  async suggest(element: ShownElement, query: string): Promise<readonly ShownOption[] | string> {
    const { actionId, blockId } = element;
    const answer = await this.desk.api.act({ kind: 'suggest', on: this.on, actionId, blockId, query });
    if (!answer.ok) return answer.problem;
    return answer.options ?? answer.notice ?? [];
  }

  /** The id of the uploaded file, or a sentence why there is none. */
  async upload(name: string, data: Promise<string>): Promise<{ id: string } | string> {
    const uploading = data.then(
      (read) => this.desk.api.act({ kind: 'upload', name, data: read }),
      () => ({ ok: false as const, problem: `Couldn't read “${name}”.` }),
    );
    this.#uploads = Promise.allSettled([this.#uploads, uploading]);
    const answer = await uploading;
    if (!answer.ok) return answer.problem;
    if (answer.file === undefined) return `Couldn't upload “${name}”.`;
    return { id: answer.file };
  }

  /** Resolves when everything that was chosen has arrived. */
  async uploaded(): Promise<void> {
    await this.#uploads;
  }

  /** One press at a time for each element: the second half of a double click is not sent. */
  async #send(
    element: ShownElement,
    control: HTMLElement,
    send: () => Promise<{ ok: boolean }>,
  ): Promise<boolean> {
    const key = keyOf(element);
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

/** Templates built during the faults; each has a unique name, which counts its requests. */
import { SECOND } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import type { World } from '../features/world.ts';
import { createPerson, type Person } from '../kit/person.ts';
import { fillTemplate } from '../kit/template-play.ts';
import type { Dice } from './dice.ts';

const CREATE = { method: 'POST', path: '/proposal-templates' };
const TROUBLE = [
  { kind: 'drop', when: 'after' },
  { kind: 'drop', when: 'before' },
  presetFaults.errorAfterEffect(502),
  presetFaults.status(500),
  presetFaults.rateLimited(),
] as const;

export class Templates {
  /** How often people requested each, by its name. */
  readonly asked = new Map<string, number>();
  readonly #world: World;
  readonly #dice: Dice;
  readonly #ben: Person;

  constructor(world: World, dice: Dice) {
    this.#world = world;
    this.#dice = dice;
    const settleAfter = async <T>(action: Promise<T>): Promise<T> => {
      const result = await action;
      await world.pass(2 * SECOND);
      return result;
    };
    world.marketplace.addOrganization({ id: 8, label: 'Ben alone', type: 'freelancer', contractors: [] });
    this.#ben = createPerson({ slack: world.slack, settleAfter }, 'ben');
  }

  async step(): Promise<void> {
    const name = `Template ${this.asked.size + 1}`;
    this.asked.set(name, 0);
    this.#dice.note(`ben builds ${name}`);
    // Faults may fail any press, but nothing may be created without a request.
    await this.#build(name).catch((thrown: unknown) =>
      this.#dice.note(`${name}: ${thrown instanceof Error ? thrown.message.slice(0, 2000) : ''}`),
    );
  }

  #ask(name: string): void {
    this.asked.set(name, (this.asked.get(name) ?? 0) + 1);
  }

  async #build(name: string): Promise<void> {
    const world = this.#world;
    await this.#ben.close();
    const review = await fillTemplate(this.#ben, name);
    if (this.#dice.share() < 0.6) world.marketplace.injectFault(CREATE, this.#dice.pick(TROUBLE));
    this.#ask(name);
    await review.send();
    await world.pass(20 * SECOND);
    const told = this.#ben.form();
    if (!told.text.includes("don't know if") || this.#dice.share() < 0.5) return;
    const again = await told.press('Open Again');
    this.#ask(name);
    await again.press('Create Again');
  }

  /** Its requests that weren't rejected for their rate. */
  requested(name: string): number {
    const isNamed = (body: unknown) => (body as { readonly name?: unknown } | undefined)?.name === name;
    const isRequest = ({ method, path }: { method: string; path: string }) =>
      method === CREATE.method && path === CREATE.path;
    const requests = this.#world.marketplace.requests().filter(isRequest);
    return requests.filter(({ body, status }) => status !== 429 && isNamed(body)).length;
  }
}

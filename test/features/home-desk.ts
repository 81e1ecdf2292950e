/** A person's App Home: actions and text. */
import { expect } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import type { Block, SlackView } from '../../src/workbench/slack/objects.ts';
import { renderViewText } from '../../src/workbench/slack/text.ts';
import { namesIn } from './as-read.ts';
import { buttonsOf } from './buttons.ts';
import type { World } from './world.ts';

export class HomeAtHand {
  readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  /** Opens it and waits for its data. */
  async open(user: string): Promise<string> {
    await this.world.slack.openHome({ user });
    await this.world.pass(2 * SECOND);
    return this.words(user);
  }

  view(user: string): SlackView {
    return this.world.slack.home(user) ?? expect.fail(`${user} has no Home`);
  }

  /** As a person reads it. */
  words(user: string): string {
    return renderViewText(this.view(user), { width: 2_000, nameOf: namesIn(this.world) });
  }

  /** Whether it has a button of this action. */
  offers(user: string, actionId: string): boolean {
    return buttonsOf(this.view(user), actionId).length > 0;
  }

  /** How often it was published. */
  published(user: string): number {
    const { id } = this.world.slack.user(user);
    return this.world.slack.apiCalls('views.publish').filter((call) => call.args['user_id'] === id).length;
  }

  /** Presses the button with this text; `beside` picks the block when there are several. */
  async press(user: string, words: string, beside = ''): Promise<void> {
    await this.pressOn(this.view(user), user, words, beside);
  }

  /** The same on an earlier version of the Home. */
  async pressOn(view: SlackView, user: string, words: string, beside = ''): Promise<void> {
    const blocks = view.blocks.filter((block, at) => saysNear(view.blocks, block, at, beside));
    const found = findPressable({ blocks }, words) ?? expect.fail(`no “${words}” beside “${beside}”`);
    expect(found.kind).toBe('button');
    const value = found.kind === 'button' ? found.value : '';
    const at = { actionId: found.actionId, blockId: found.blockId, value };
    await this.world.slack.press({ view, user, ...at, force: true });
    await this.world.pass(3 * SECOND);
  }
}

/** Within the block itself, or for buttons below it, in the block above. */
function saysNear(blocks: readonly Block[], block: Block, at: number, words: string): boolean {
  const above = block.type === 'actions' ? blocks.slice(Math.max(0, at - 1), at) : [];
  return [block, ...above].some((each) => JSON.stringify(each).includes(words));
}

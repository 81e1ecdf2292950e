/** The form that sets up or edits a subscription, as people open it and fill it in. */
import { SECOND } from '../../src/clock.ts';
import type { SlackMessage, SlackView } from '../../src/workbench/slack/objects.ts';
import { pressButton } from './buttons.ts';
import { type FilledForm, openedForm } from './settings-form.ts';
import type { World } from './world.ts';

export class SubscriptionForm {
  readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  /** Presses a button that leads to the form, and waits for what it shows. */
  async openWith(message: SlackMessage, label: string, user = 'ada'): Promise<void> {
    await pressButton(this.world, { message }, label, user);
    await this.world.pass(5 * SECOND);
  }

  view(user = 'ada'): SlackView {
    return openedForm(this.world, user);
  }

  /** All that it shows, as JSON. */
  words(user = 'ada'): string {
    return JSON.stringify(this.view(user).blocks);
  }

  /** The IDs of the filters that can be chosen. */
  filterOptions(user = 'ada'): readonly string[] {
    const block = this.view(user).blocks.find(({ block_id }) => block_id === 'filter');
    return [...JSON.stringify(block ?? {}).matchAll(/"value":"(\d+)"/gu)].map(([, id]) => id ?? '');
  }

  /** Presses one of its buttons, with the input so far. */
  async press(label: string, values: FilledForm, user = 'ada'): Promise<void> {
    await pressButton(this.world, { view: this.view(user) }, label, user, values);
    await this.world.pass(5 * SECOND);
  }

  async submit(values: FilledForm, user = 'ada') {
    const answer = await this.world.slack.submitView({ user, view: this.view(user), values });
    await this.world.pass(5 * SECOND);
    return answer;
  }

  async close(user = 'ada'): Promise<void> {
    await this.world.slack.closeView({ user, all: true });
  }
}

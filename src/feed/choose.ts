/** Changing what a channel chooses of how it is told. Two people at once: each changes what they changed on the screen. */
import { changeSettings, type Order } from './channel-changes.ts';
import { readSettings } from './channels.ts';
import { type ChoiceName, type Choices, choicesOf, differences, withChoices } from './choices.ts';
import type { FeedContext } from './context.ts';
import type { ChooseOutcome } from './feed.ts';
import { releaseQuiet } from './quiet-posts.ts';

/** @throws StorageError; nothing was changed then, but for what was held back. */
export async function choose(
  context: FeedContext,
  order: Order,
  { shown, wanted }: { readonly shown: Choices; readonly wanted: Choices },
): Promise<ChooseOutcome> {
  const asked = differences(shown, wanted);
  let changed: readonly ChoiceName[] = [];
  let overruled: readonly ChoiceName[] = [];
  await changeSettings(context, order, (settings) => {
    const before = choicesOf(settings);
    const meanwhile = differences(shown, before);
    changed = differences(before, wanted).filter((each) => asked.includes(each));
    overruled = changed.filter((each) => meanwhile.includes(each));
    if (changed.length === 0) return undefined;
    return {
      settings: withChoices(settings, wanted, changed),
      act: { kind: 'settings', changed: [...changed] },
    };
  });
  await releaseQuiet(context, order.channel);
  const settings = await context.store.read((tx) => readSettings(tx, context.team, order.channel));
  return { changed, overruled, settings };
}

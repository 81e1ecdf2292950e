/** Changes a channel's preferences. If two people edit at once, each changes only what they edited. */
import { type ChannelActor, changeChannelSettings } from './channel-changes.ts';
import {
  applyChannelPreferences,
  type ChannelPreferences,
  extractPreferences,
  listChangedPreferences,
  type PreferenceName,
} from './channel-preferences.ts';
import { readChannelSettings } from './channels.ts';
import type { FeedContext } from './context.ts';
import type { ChangePreferencesOutcome } from './feed.ts';
import { releaseQuietHoursPosts } from './quiet-posts.ts';

/** @throws StorageError; then no preference was changed, but posts from quiet hours may have been released */
export async function changeChannelPreferences(
  context: FeedContext,
  order: ChannelActor,
  { shown, wanted }: { readonly shown: ChannelPreferences; readonly wanted: ChannelPreferences },
): Promise<ChangePreferencesOutcome> {
  const asked = listChangedPreferences(shown, wanted);
  let changed: readonly PreferenceName[] = [];
  let overruled: readonly PreferenceName[] = [];
  await changeChannelSettings(context, order, (settings) => {
    const before = extractPreferences(settings);
    const meanwhile = listChangedPreferences(shown, before);
    changed = listChangedPreferences(before, wanted).filter((each) => asked.includes(each));
    overruled = changed.filter((each) => meanwhile.includes(each));
    if (changed.length === 0) return undefined;
    return {
      settings: applyChannelPreferences(settings, wanted, changed),
      act: { kind: 'settings', changed: [...changed] },
    };
  });
  await releaseQuietHoursPosts(context, order.channel);
  const settings = await context.store.read((tx) => readChannelSettings(tx, context.team, order.channel));
  return { changed, overwrittenPreferences: overruled, settings };
}

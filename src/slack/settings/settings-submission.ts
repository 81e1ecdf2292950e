/**
 * Submitting the settings form: applies only the changes made in the form, and posts them in the channel with
 * the user's name.
 */
import { asError } from '../../errors.ts';
import type { ChannelPreferences } from '../../feed/channel-preferences.ts';
import type {
  Message,
  SubmissionResponse,
  ViewInteraction,
  ViewRoute,
  ViewSubmissionCall,
} from '../core/routes.ts';
import { viewIds } from '../kit/ids.ts';
import { noticeView } from '../kit/notice-view.ts';
import {
  SETTINGS_OUT_OF_DATE,
  SETTINGS_SAME,
  settingsChangedMessage,
  settingsOverwrittenMessage,
} from './settings-answers.ts';
import { parseSettingsForm } from './settings-fields.ts';
import { readSettingsForm, type SettingsForm } from './settings-forms.ts';
import { SETTINGS_TITLE } from './settings-modal.ts';

/** If the channel can't get the message, the user does: the settings are saved. */
async function tell(call: ViewSubmissionCall, message: Message): Promise<void> {
  const { slack, log } = call.services;
  try {
    await slack.post(call.channel, message);
  } catch (thrown) {
    log.warn('could not post a settings change to its channel', {
      channel: call.channel,
      error: asError(thrown),
    });
    await call.answer(message);
  }
}

async function save(
  call: ViewSubmissionCall,
  { shown }: SettingsForm,
  wanted: ChannelPreferences,
): Promise<void> {
  const { services, channel, person } = call;
  const outcome = await services.feed.changeChannelPreferences(channel, { shown, wanted }, person.user);
  if (outcome.changed.length === 0) return call.answer(SETTINGS_SAME);
  await tell(call, settingsChangedMessage(outcome, person.user, services.timezone));
  if (outcome.overwrittenPreferences.length > 0)
    await call.answer(settingsOverwrittenMessage(outcome.overwrittenPreferences));
}

async function submit({ user, view, services }: ViewInteraction): Promise<SubmissionResponse> {
  const { store, team } = services;
  const form = await store.read((tx) => readSettingsForm(tx, { team, user }, view.privateMetadata));
  const filled = form && parseSettingsForm(view.values, form.rows);
  if (!form || !filled || filled.kind === 'unreadable')
    return { kind: 'update', view: noticeView(SETTINGS_TITLE, SETTINGS_OUT_OF_DATE) };
  if (filled.kind === 'mistakes') return { kind: 'errors', errors: filled.errors };
  const { requested } = filled;
  return { kind: 'close', channel: form.channel, after: (call) => save(call, form, requested) };
}

export const settingsView: ViewRoute = { id: viewIds.settings, needs: 'admin', submit };

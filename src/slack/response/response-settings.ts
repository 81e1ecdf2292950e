/** The form with a channel's response times: opened from the channel's settings, saved by its admins. */
import { z } from 'zod';
import { asError } from '../../errors.ts';
import { readChannelSettings } from '../../feed/channels.ts';
import { resolveTimezone } from '../../feed/quiet-hours.ts';
import { DEFAULT_RESPONSE_PLAN, ResponsePlan } from '../../response/response.ts';
import { postResultToChannel, updateViewIfOpen } from '../core/handler-steps.ts';
import { createPersonalWindows, personalWindowShape } from '../core/personal-records.ts';
import type { ActionCall, ActionRoute, ViewRoute, ViewSubmissionCall } from '../core/routes.ts';
import { readGroupNames, readUserGroups } from '../core/user-groups.ts';
import { noticeView } from '../kit/block-builders.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import { alertBlock } from '../kit/rich-blocks.ts';
import { redrawSettings, settingsAction } from '../settings/settings.ts';
import { parseResponseForm, RESPONSE_TITLE, type ResponseFormFacts, responseModal } from './response-form.ts';
import { listNudgedGroups, responseChangedMessage, responseOverwrittenMessage } from './response-text.ts';

/** What an open form showed, so that two people only overwrite what each changed. */
const ResponseForm = z.object({ ...personalWindowShape, shown: ResponsePlan });
type ResponseForm = z.infer<typeof ResponseForm>;

export const responseForms = createPersonalWindows('response-forms', ResponseForm);

const OUT_OF_DATE = 'This form is out of date, so nothing changed. Open it again from `/gig settings`.';

/** Opens at once, and again when Slack has listed the user groups. */
async function openForm(call: ActionCall): Promise<void> {
  const { services, channel, triggerId } = call;
  const saved = await services.response.readSettings(channel);
  const shown = saved ? ResponsePlan.parse(saved) : DEFAULT_RESPONSE_PLAN;
  const form = await responseForms.save(call, { shown });
  const settings = await services.store.read((tx) => readChannelSettings(tx, channel));
  const facts: ResponseFormFacts = {
    form,
    groups: { kind: 'loading' },
    timezone: resolveTimezone(settings, services.timezone),
    skipped: saved?.skipped ?? [],
    groupNames: new Map(),
  };
  const viewId = await services.slack.pushView(triggerId, responseModal(facts));
  const groups = await readUserGroups(services);
  const known = groups.kind === 'known' ? groups.groups : [];
  const groupNames = new Map(known.map(({ id, handle }) => [id, handle]));
  await updateViewIfOpen(services, viewId, responseModal({ ...facts, groups, groupNames })).catch(
    (thrown: unknown) => services.log.info('could not show user groups', { error: asError(thrown) }),
  );
}

export const responseSettingsAction: ActionRoute = settingsAction(actionIds.responseSettings, openForm);

async function saveResponsePlan(
  call: ViewSubmissionCall,
  { shown }: ResponseForm,
  wanted: ResponsePlan,
): Promise<void> {
  const { services, channel, person } = call;
  const outcome = await services.response.changePlan(channel, { shown, wanted }, person.user);
  const { changed, overwritten, plan } = outcome;
  if (changed.length === 0) return call.answer({ text: 'No response times changed.' });
  const names = await readGroupNames(services, listNudgedGroups(plan));
  await postResultToChannel(call, responseChangedMessage(changed, plan, person.user, names));
  if (overwritten.length > 0) await call.answer(responseOverwrittenMessage(overwritten, plan, names));
  await redrawSettings(call);
}

export const responseView: ViewRoute = {
  id: viewIds.response,
  needs: 'admin',
  async submit(submitted) {
    const form = await responseForms.find(submitted);
    const parsed = form && parseResponseForm(submitted.view.values);
    if (!form || !parsed || parsed.kind === 'unreadable')
      return { kind: 'update', view: noticeView(RESPONSE_TITLE, [alertBlock('error', OUT_OF_DATE)]) };
    if (parsed.kind === 'mistakes') return { kind: 'errors', errors: parsed.errors };
    return {
      kind: 'close',
      channel: form.channel,
      after: (call) => saveResponsePlan(call, form, parsed.wanted),
    };
  },
};

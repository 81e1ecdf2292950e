/** The window that tries rules on a channel's subscriptions; a button of the settings form opens it. */
import type { KnownBlock, ModalView } from '@slack/types';
import { parseRules } from '../../feed/decide-card.ts';
import type { SubscriptionStatus } from '../../feed/feed.ts';
import type { FilterId } from '../../ids.ts';
import { logAndDescribeFailure, updateViewIfOpen } from '../core/handler-steps.ts';
import type {
  ActionCall,
  ActionRoute,
  SubmissionResponse,
  ViewInteraction,
  ViewRoute,
  ViewSubmissionCall,
} from '../core/routes.ts';
import { noticeView, plainTextObject, sectionBlock } from '../kit/block-builders.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import { selectInput, textInput } from '../kit/inputs.ts';
import { cleanLine, clipText } from '../kit/mrkdwn.ts';
import { parseFilterId } from '../kit/words/filters.ts';
import { findSettingsChannel } from '../settings/settings.ts';
import { SUBSCRIPTION_GONE } from './list-command.ts';
import { triedRulesBlocks } from './try-message.ts';

const TITLE = 'Try Rules';
const fields = { filter: 'filter', rules: 'rules' } as const;
const LONGEST_RULES = 500;
const OUT_OF_DATE = 'This window is out of date. Open it again with `/gig settings`.';
const WORKING = ':hourglass_flowing_sand: Trying these rules…';

export interface TryWindow {
  /** Of the settings form, which knows the channel. */
  readonly form: string;
  readonly subscriptions: readonly SubscriptionStatus[];
  /** Missing: the first subscription. */
  readonly filter?: FilterId;
  /** As typed. */
  readonly rules: string;
  readonly result: readonly KnownBlock[];
}

function choiceOf({ filter }: SubscriptionStatus) {
  const name = clipText(cleanLine(filter.name ?? ''), 50);
  return { value: String(filter.id), label: name ? `${name} (${filter.id})` : `Filter ${filter.id}` };
}

export function tryRulesView({ form, subscriptions, filter, rules, result }: TryWindow): ModalView {
  const choices = subscriptions.map(choiceOf);
  const [first] = choices;
  if (!first)
    return noticeView(
      TITLE,
      'This channel follows no filter yet. Add one with `/gig subscribe`, then try rules.',
    );
  return {
    type: 'modal',
    callback_id: viewIds.tryRules,
    private_metadata: form,
    title: plainTextObject(TITLE),
    submit: plainTextObject('Try'),
    close: plainTextObject('Back'),
    blocks: [
      ...(result.length > 0
        ? result
        : [
            sectionBlock(
              "See what other rules would have shown in the last 14 days. Nothing changes, and it's free.",
            ),
          ]),
      selectInput({
        id: fields.filter,
        label: 'Subscription',
        choices,
        initial: filter === undefined ? first.value : String(filter),
      }),
      textInput({
        id: fields.rules,
        label: 'Rules to try',
        hint: 'For example: react budget:>1000 -wordpress. Leave it empty to try without rules.',
        initial: rules,
        maxLength: LONGEST_RULES,
        optional: true,
      }),
    ],
  };
}

async function open(call: ActionCall): Promise<void> {
  const { services, channel, triggerId, view } = call;
  if (!view) return call.answer({ text: OUT_OF_DATE });
  const subscriptions = await services.feed.listSubscriptions(channel);
  const rules = clipText(subscriptions[0]?.subscription.rules ?? '', LONGEST_RULES);
  const shown = tryRulesView({ form: view.privateMetadata, subscriptions, rules, result: [] });
  await services.slack.pushView(triggerId, shown);
}

export const tryRulesAction: ActionRoute = {
  id: actionIds.settingsTry,
  needs: 'admin',
  findChannel: findSettingsChannel,
  run: open,
};

interface Tried {
  readonly filter: FilterId;
  readonly rules: string;
}

async function findResult(
  call: ViewSubmissionCall,
  { filter, rules }: Tried,
): Promise<readonly KnownBlock[]> {
  const { services, channel } = call;
  try {
    const tried = await services.funnel.tryRules({ channel, filter, rules });
    // The submission has checked them.
    if (tried.kind === 'wrong-rules') return [sectionBlock(OUT_OF_DATE)];
    return tried.rulesToday === undefined
      ? [sectionBlock(SUBSCRIPTION_GONE.text), ...triedRulesBlocks(tried)]
      : triedRulesBlocks(tried);
  } catch (thrown) {
    return [sectionBlock(logAndDescribeFailure(services, 'could not try rules', thrown).text)];
  }
}

async function showResult(call: ViewSubmissionCall, tried: Tried): Promise<void> {
  const { services, channel, view } = call;
  const result = await findResult(call, tried);
  const subscriptions = await services.feed.listSubscriptions(channel);
  const shown = tryRulesView({ form: view.privateMetadata, subscriptions, ...tried, result });
  await updateViewIfOpen(services, view.id, shown);
}

async function submit(submitted: ViewInteraction): Promise<SubmissionResponse> {
  const { view, services } = submitted;
  const channel = await findSettingsChannel(submitted);
  const filter = parseFilterId(view.values.get(fields.filter)?.option ?? '');
  if (!channel || filter === undefined) return { kind: 'update', view: noticeView(TITLE, OUT_OF_DATE) };
  const rules = view.values.get(fields.rules)?.text ?? '';
  const read = parseRules(rules);
  if (read.kind === 'mistake')
    return { kind: 'errors', errors: { [fields.rules]: clipText(cleanLine(read.message), 400) } };
  const subscriptions = await services.feed.listSubscriptions(channel);
  const tried = { filter, rules };
  const waiting = { form: view.privateMetadata, subscriptions, ...tried, result: [sectionBlock(WORKING)] };
  return {
    kind: 'update',
    view: tryRulesView(waiting),
    channel,
    after: (call) => showResult(call, tried),
  };
}

export const tryRulesWindowRoute: ViewRoute = { id: viewIds.tryRules, needs: 'admin', submit };

/** The rules for spending: a button of `/gig settings` opens their form. Only admins change them. */
import { readSpendingRules, type SpendingChoices } from '../../spending/spending.ts';
import { findApprovers } from '../bids/bids.ts';
import type { ActionCall, ActionRoute, ViewRoute, ViewSubmissionCall } from '../core/routes.ts';
import { findVisibilityRefusal } from '../core/user-channels.ts';
import { joinLines, noticeView } from '../kit/block-builders.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import { formatMention } from '../kit/mrkdwn.ts';
import { redrawSettings, settingsAction } from '../settings/settings.ts';
import { spendingRulesText } from './spending.ts';
import { parseSpendingForm, SPENDING_TITLE, spendingFormCodec, spendingRulesView } from './spending-form.ts';

const OUTDATED = 'This window is out of date, so nothing changed. Open it again with `/gig settings`.';

async function openForm(call: ActionCall): Promise<void> {
  const { services, channel, triggerId } = call;
  const { store, clock, spending, feed, slack } = services;
  const rules = await store.read((tx) => readSpendingRules(tx, channel));
  const { timezone = services.timezone } = await feed.readChannelSettings(channel);
  const used = await spending.readWeeklyConnects(channel, timezone, clock.now());
  await slack.pushView(triggerId, spendingRulesView(rules, used));
}

export const spendingActions: readonly ActionRoute[] = [settingsAction(actionIds.spendingRules, openForm)];

async function findApproversWarning(
  { services, channel }: ViewSubmissionCall,
  { amountAbove, connectsAbove, newClients, approvals }: SpendingChoices,
): Promise<string | undefined> {
  if (amountAbove === undefined && connectsAbove === undefined && !newClients) return undefined;
  const { users, groups, direct } = await findApprovers(services, channel, []);
  const people = [...users, ...direct];
  // The bidder gives none.
  if (groups.length > 0 || people.length > approvals) return undefined;
  const who = people.length === 0 ? 'nobody' : `only ${people.map(formatMention).join(' and ')}`;
  return (
    `:warning: As far as Gigdesk knows, ${who} may approve here, so bids can wait for ` +
    'approvals that no one can give. Give more people the bidder role with `/gig access`.'
  );
}

async function saveRules(
  call: ViewSubmissionCall,
  choices: SpendingChoices,
  revision: number,
): Promise<void> {
  const { services, person, channel } = call;
  const refusal = await findVisibilityRefusal({ services, person }, channel);
  if (refusal !== undefined) return call.answer({ text: refusal });
  const saved = await services.spending.saveSpendingRules(channel, choices, person.user, revision);
  if (saved === 'same') return call.answer({ text: 'Nothing changed: these are the rules already.' });
  if (saved === 'outdated') {
    await call.answer({ text: "Someone changed the spending rules meanwhile, so yours weren't saved." });
    return redrawSettings(call);
  }
  const text = joinLines(
    `:lock: *${formatMention(person.user)} changed this channel's spending rules.*`,
    spendingRulesText(choices),
    await findApproversWarning(call, choices),
  );
  await call.answer({ text }, 'channel');
  await redrawSettings(call);
}

export const spendingView: ViewRoute = {
  id: viewIds.spendingRules,
  needs: 'admin',
  async submit({ view }) {
    const shown = spendingFormCodec.read(view.privateMetadata);
    if (!shown) return { kind: 'update', view: noticeView(SPENDING_TITLE, OUTDATED) };
    const filled = parseSpendingForm(view.values);
    const { channel, revision } = shown;
    if (filled.kind === 'mistakes') return { kind: 'errors', channel, errors: filled.errors };
    return { kind: 'close', channel, after: (call) => saveRules(call, filled.choices, revision) };
  },
};

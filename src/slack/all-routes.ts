/**
 * The route table: every command, action, modal, shortcut and event with its handler. Routing, roles and help
 * use it.
 */
import { accessActions, accessCommand } from './access/access-command.ts';
import { accessView } from './access/access-modal.ts';
import { connectAccountAction } from './account/account.ts';
import { auditActions, auditCommand } from './audit/audit-command.ts';
import { approvalActions, approvalViews } from './bids/approval-actions.ts';
import { bidFormActions } from './bids/bid-form-actions.ts';
import { bidCommand, openBidAction } from './bids/bid-open.ts';
import { bidView } from './bids/bid-submit.ts';
import { heldOrderActions, heldReviewWindow } from './bids/held-actions.ts';
import { jobActions, jobCommand } from './bids/jobs.ts';
import { setupsActions, setupsCommand } from './bids/setups.ts';
import { budgetCommand, budgetView, confirmBudgetAction, setBudgetAction } from './budgets/budget-command.ts';
import { ledgerActions } from './budgets/ledger.ts';
import { assignWindowRoute } from './cards/assign-window.ts';
import {
  cardMenuAction,
  claimAction,
  claimAnywayAction,
  releaseClaimAction,
  showMoreCardsAction,
  showNewestCardsAction,
  unskipAction,
} from './cards/card-actions.ts';
import { detailsAction, detailsButtons } from './cards/details-window.ts';
import { lookUpProjectShortcut, lookupButtons, lookupCommand } from './cards/lookup.ts';
import { resultActions, resultsCommand } from './cards/results.ts';
import { shareWindowRoute } from './cards/share-window.ts';
import { muteWindowRoute, skipWindowRoute } from './cards/skip-window.ts';
import { unfurlProjects } from './cards/unfurl-projects.ts';
import { unknownButtonMessage } from './core/request-errors.ts';
import type { ActionRoute, CommandRoute, RouteTable, ShortcutRoute, ViewRoute } from './core/routes.ts';
import { commandRequestLabel } from './core/slow-reply.ts';
import { digestCommand } from './digests/digests.ts';
import { followActions } from './follows/follow-actions.ts';
import { followCommand } from './follows/follow-command.ts';
import { hintsActions } from './hints/hints.ts';
import {
  accountView,
  homeAccountActions,
  homeBudgetView,
  homeChannelActions,
} from './home/home-channel-actions.ts';
import { homeApprovalViews, homeWorkActions } from './home/home-work-actions.ts';
import { handleHomeOpened } from './home/show-home.ts';
import { invitationActions } from './invitations/invitation-actions.ts';
import { commandButtonIds, commandValueCodec } from './kit/command-button.ts';
import { actionIds } from './kit/ids.ts';
import { proposalsActions, proposalsCommand } from './proposals/proposals-command.ts';
import { showProposalAction } from './proposals/show-proposal.ts';
import { responseActions } from './response/response-actions.ts';
import { responseSettingsAction, responseView } from './response/response-settings.ts';
import { responseTimesActions } from './response/response-times.ts';
import { settingsActions, settingsCommand, settingsViews } from './settings/settings-command.ts';
import { answerDirectMessage, answerMention, menuCommand } from './setup/menu.ts';
import { setupActions } from './setup/setup-actions.ts';
import { openSetup } from './setup/setup-open.ts';
import { setupViews } from './setup/setup-save.ts';
import { handleBotJoined } from './setup/welcome.ts';
import { spendingActions, spendingView } from './spending/spending-settings.ts';
import { funnelActions, statsCommand, statsDimensionAction } from './stats/stats-command.ts';
import { createHelpCommand } from './status/help-command.ts';
import { statusCommand } from './status/status.ts';
import { confirmBackfillAction } from './subscriptions/backfill-question.ts';
import { listCommand, subscriptionActions } from './subscriptions/list-command.ts';
import { pauseCommand, resumeAction } from './subscriptions/pause-command.ts';
import { createSubscribeCommand } from './subscriptions/subscribe-command.ts';
import { tryCommand } from './subscriptions/try-command.ts';
import { templateActions, templateViews } from './templates/template-builder-actions.ts';
import { templateCommand } from './templates/template-command.ts';
import { templateDraftActions } from './templates/template-drafts.ts';

/** @throws RangeError if a command with a button doesn't exist, which is always our bug. */
function createCommandActions(commands: readonly CommandRoute[]): readonly ActionRoute[] {
  return Object.entries(commandButtonIds).map(([word, id]) => {
    const command = commands.find((each) => each.word === word);
    if (!command) throw new RangeError(`no command for the button ${id}`);
    return {
      id,
      needs: command.needs,
      pendingLabel: command.isSlow ? commandRequestLabel(word, '') : undefined,
      async run(call) {
        // A button without arguments has the command's word as its value.
        const read = call.value === word ? { args: '' } : commandValueCodec.read(call.value);
        await (read ? command.run({ ...call, args: read.args }) : call.answer(unknownButtonMessage()));
      },
    };
  });
}

/** In help order. */
export const commandRoutes: readonly CommandRoute[] = [
  createSubscribeCommand(openSetup),
  listCommand,
  tryCommand,
  pauseCommand,
  followCommand,
  settingsCommand,
  lookupCommand,
  resultsCommand,
  bidCommand,
  jobCommand,
  setupsCommand,
  templateCommand,
  proposalsCommand,
  digestCommand,
  statsCommand,
  budgetCommand,
  statusCommand,
  accessCommand,
  auditCommand,
  createHelpCommand(() => commandRoutes),
];

export const actionRoutes: readonly ActionRoute[] = [
  openBidAction,
  ...bidFormActions,
  ...jobActions,
  ...approvalActions,
  ...heldOrderActions,
  showProposalAction,
  ...proposalsActions,
  statsDimensionAction,
  ...funnelActions,
  detailsAction,
  ...detailsButtons,
  ...lookupButtons,
  claimAction,
  claimAnywayAction,
  releaseClaimAction,
  cardMenuAction,
  unskipAction,
  showMoreCardsAction,
  showNewestCardsAction,
  ...subscriptionActions,
  resumeAction,
  confirmBackfillAction,
  ...setupActions,
  ...createCommandActions(commandRoutes),
  ...resultActions,
  ...setupsActions,
  ...invitationActions,
  ...templateDraftActions,
  ...templateActions,
  confirmBudgetAction,
  setBudgetAction,
  ...ledgerActions,
  ...accessActions,
  ...settingsActions,
  ...hintsActions,
  ...followActions,
  responseSettingsAction,
  ...responseActions,
  ...responseTimesActions,
  ...spendingActions,
  ...auditActions,
  ...homeWorkActions,
  ...homeChannelActions,
  ...homeAccountActions,
  connectAccountAction,
  // Slack opens the link itself but also reports the press: nothing to do.
  { id: actionIds.openLink, needs: 'outsider', run: () => Promise.resolve() },
];

export const viewRoutes: readonly ViewRoute[] = [
  bidView,
  ...approvalViews,
  heldReviewWindow,
  accessView,
  ...settingsViews,
  responseView,
  spendingView,
  skipWindowRoute,
  muteWindowRoute,
  assignWindowRoute,
  ...setupViews,
  shareWindowRoute,
  ...templateViews,
  budgetView,
  homeBudgetView,
  ...homeApprovalViews,
  accountView,
];

export const shortcutRoutes: readonly ShortcutRoute[] = [lookUpProjectShortcut];

/** By Slack's event name. */
export const eventHandlers: Required<RouteTable['events']> = {
  app_home_opened: handleHomeOpened,
  link_shared: unfurlProjects,
  member_joined_channel: handleBotJoined,
  channel_id_changed: ({ channel, services }) => services.feed.restartStoppedFeeds(channel),
  app_mention: answerMention,
  'message.im': answerDirectMessage,
};

export const routeTable = {
  bareCommand: menuCommand,
  commands: commandRoutes,
  actions: actionRoutes,
  views: viewRoutes,
  shortcuts: shortcutRoutes,
  events: eventHandlers,
};

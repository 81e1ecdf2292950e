/**
 * The route table: every command, action, modal, shortcut and event with its handler. Routing, roles and help
 * use it.
 */
import { accessActions } from './access/access-actions.ts';
import { accessCommand } from './access/access-command.ts';
import { accessView } from './access/access-submission.ts';
import { auditActions } from './audit/audit-actions.ts';
import { auditCommand } from './audit/audit-command.ts';
import { bidActions } from './bids/bid-actions.ts';
import { bidCommand } from './bids/bid-command.ts';
import { bidView } from './bids/bid-submit.ts';
import { jobActions } from './bids/job-actions.ts';
import { jobCommand } from './bids/job-command.ts';
import { setupsNextPageAction, setupsPreviousPageAction } from './bids/setups-actions.ts';
import { setupsCommand } from './bids/setups-command.ts';
import { confirmBudgetAction } from './budgets/budget-actions.ts';
import { budgetCommand } from './budgets/budget-command.ts';
import { cardMenuAction } from './cards/card-menu.ts';
import { claimAction, releaseClaimAction, unskipAction } from './cards/claims.ts';
import { detailsAction } from './cards/details-actions.ts';
import { lookUpProjectShortcut } from './cards/look-up-project.ts';
import { lookupCommand } from './cards/lookup-command.ts';
import { resultActions } from './cards/results-actions.ts';
import { resultsCommand } from './cards/results-command.ts';
import { showMoreCardsAction } from './cards/show-more.ts';
import { unfurlProjects } from './cards/unfurl-projects.ts';
import { openLinkAction } from './core/open-link.ts';
import type {
  ActionRoute,
  CommandRoute,
  HomeOpenedCall,
  LinkSharedCall,
  ShortcutRoute,
  ViewRoute,
} from './core/routes.ts';
import { digestCommand } from './digests/digest-command.ts';
import { homeActions } from './home/home-actions.ts';
import { homeBudgetView } from './home/home-budget-actions.ts';
import { handleHomeOpened } from './home/show-home.ts';
import { invitationActions } from './invitations/invitation-actions.ts';
import { showProposalAction } from './proposals/proposal-actions.ts';
import { proposalCommand } from './proposals/proposal-command.ts';
import { proposalsActions } from './proposals/proposals-actions.ts';
import { proposalsCommand } from './proposals/proposals-command.ts';
import { settingsActions, settingsCommand, settingsView } from './settings/settings-command.ts';
import { shareProposalsAction } from './sharing/share-action.ts';
import { statsDimensionAction } from './stats/stats-actions.ts';
import { statsCommand } from './stats/stats-command.ts';
import { createHelpCommand } from './status/help-command.ts';
import { statusCommand } from './status/status-command.ts';
import { listCommand } from './subscriptions/list-command.ts';
import { pauseCommand, resumeCommand } from './subscriptions/pause-command.ts';
import { subscribeCommand } from './subscriptions/subscribe-command.ts';
import * as subscriptions from './subscriptions/subscriptions-actions.ts';
import { unsubscribeCommand } from './subscriptions/unsubscribe-command.ts';
import { templateActions, templateViews } from './templates/template-builder-actions.ts';
import { templateCommand } from './templates/template-command.ts';
import { templateDraftActions } from './templates/template-drafts.ts';

/** In help order. */
export const commandRoutes: readonly CommandRoute[] = [
  subscribeCommand,
  unsubscribeCommand,
  listCommand,
  pauseCommand,
  resumeCommand,
  settingsCommand,
  lookupCommand,
  resultsCommand,
  bidCommand,
  jobCommand,
  setupsCommand,
  templateCommand,
  proposalsCommand,
  proposalCommand,
  digestCommand,
  statsCommand,
  budgetCommand,
  statusCommand,
  accessCommand,
  auditCommand,
  createHelpCommand(() => commandRoutes),
];

export const actionRoutes: readonly ActionRoute[] = [
  ...bidActions,
  ...jobActions,
  showProposalAction,
  ...proposalsActions,
  shareProposalsAction,
  statsDimensionAction,
  detailsAction,
  claimAction,
  releaseClaimAction,
  cardMenuAction,
  unskipAction,
  showMoreCardsAction,
  subscriptions.unsubscribeAction,
  subscriptions.unfollowProfileAction,
  subscriptions.unmuteAction,
  subscriptions.cardDensityAction,
  ...resultActions,
  setupsNextPageAction,
  setupsPreviousPageAction,
  ...invitationActions,
  ...templateDraftActions,
  ...templateActions,
  confirmBudgetAction,
  ...accessActions,
  ...settingsActions,
  ...auditActions,
  ...homeActions,
  openLinkAction,
];

export const viewRoutes: readonly ViewRoute[] = [
  bidView,
  accessView,
  settingsView,
  ...templateViews,
  homeBudgetView,
];

export const shortcutRoutes: readonly ShortcutRoute[] = [lookUpProjectShortcut];

/** By Slack's event name. */
export const eventHandlers: {
  readonly app_home_opened: (call: HomeOpenedCall) => Promise<void>;
  readonly link_shared: (call: LinkSharedCall) => Promise<void>;
} = {
  app_home_opened: handleHomeOpened,
  link_shared: unfurlProjects,
};

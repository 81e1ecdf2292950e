/**
 * The route table: every command, action, modal, shortcut and event with its handler. Routing, roles and help
 * use it.
 */
import { accessActions } from './actions/access.ts';
import { auditActions } from './actions/audit.ts';
import { bidActions } from './actions/bid.ts';
import { bidView } from './actions/bid-submit.ts';
import { confirmBudgetAction } from './actions/budget.ts';
import { cardMenuAction } from './actions/card-menu.ts';
import { claimAction, releaseClaimAction, unskipAction } from './actions/claims.ts';
import { detailsAction } from './actions/details.ts';
import { homeActions } from './actions/home.ts';
import { homeBudgetView } from './actions/home-budget.ts';
import { invitationActions } from './actions/invitation.ts';
import { jobActions } from './actions/job.ts';
import { openLinkAction } from './actions/open-link.ts';
import { showProposalAction } from './actions/proposal.ts';
import { proposalsActions } from './actions/proposals.ts';
import { resultActions } from './actions/results.ts';
import { settingsActions } from './actions/settings.ts';
import { setupsNextPageAction, setupsPreviousPageAction } from './actions/setups.ts';
import { showMoreCardsAction } from './actions/show-more.ts';
import { statsDimensionAction } from './actions/stats.ts';
import * as subscriptions from './actions/subscriptions.ts';
import { templateDraftActions } from './actions/template-drafts.ts';
import { templateActions, templateViews } from './actions/template-routes.ts';
import { accessCommand } from './commands/access.ts';
import { auditCommand } from './commands/audit.ts';
import { bidCommand } from './commands/bid.ts';
import { budgetCommand } from './commands/budget.ts';
import { digestCommand } from './commands/digest.ts';
import { createHelpCommand } from './commands/help.ts';
import { jobCommand } from './commands/job.ts';
import { listCommand } from './commands/list.ts';
import { lookupCommand } from './commands/lookup.ts';
import { pauseCommand, resumeCommand } from './commands/pause.ts';
import { proposalCommand } from './commands/proposal.ts';
import { proposalsCommand } from './commands/proposals.ts';
import { resultsCommand } from './commands/results.ts';
import { settingsCommand } from './commands/settings.ts';
import { setupsCommand } from './commands/setups.ts';
import { statsCommand } from './commands/stats.ts';
import { statusCommand } from './commands/status.ts';
import { subscribeCommand } from './commands/subscribe.ts';
import { templateCommand } from './commands/template.ts';
import { unsubscribeCommand } from './commands/unsubscribe.ts';
import { handleHomeOpened } from './home/show-home.ts';
import type {
  ActionRoute,
  CommandRoute,
  HomeOpenedCall,
  LinkSharedCall,
  ShortcutRoute,
  ViewRoute,
} from './routes.ts';
import { lookUpProjectShortcut } from './shortcuts/look-up-project.ts';
import { unfurlProjects } from './unfurls/unfurl-projects.ts';
import { accessView } from './views/access-submission.ts';
import { settingsView } from './views/settings-submission.ts';

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

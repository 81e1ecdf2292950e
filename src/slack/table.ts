/** The one table: every command, press, modal, shortcut and event, and what handles it. Routing, roles and help come from it. */
import { accessActions } from './actions/access.ts';
import { auditActions } from './actions/audit.ts';
import { bidActions } from './actions/bid.ts';
import { bidView } from './actions/bid-submit.ts';
import { confirmBudget } from './actions/budget.ts';
import { claim, release, unskip } from './actions/claims.ts';
import { details } from './actions/details.ts';
import { homeActions } from './actions/home.ts';
import { homeBudgetView } from './actions/home-budget.ts';
import { invitationActions } from './actions/invitation.ts';
import { jobActions } from './actions/job.ts';
import { more } from './actions/more.ts';
import { openLink } from './actions/open-link.ts';
import { proposalShow } from './actions/proposal.ts';
import { proposalsActions } from './actions/proposals.ts';
import { resultActions } from './actions/results.ts';
import { settingsActions } from './actions/settings.ts';
import { setupsBack, setupsPage } from './actions/setups.ts';
import { showMore } from './actions/show-more.ts';
import { statsDimension } from './actions/stats.ts';
import * as subscriptions from './actions/subscriptions.ts';
import { templateDraftActions } from './actions/template-drafts.ts';
import { templateActions, templateViews } from './actions/template-routes.ts';
import { access } from './commands/access.ts';
import { audit } from './commands/audit.ts';
import { bid } from './commands/bid.ts';
import { budget } from './commands/budget.ts';
import { digest } from './commands/digest.ts';
import { helpOn } from './commands/help.ts';
import { job } from './commands/job.ts';
import { list } from './commands/list.ts';
import { lookup } from './commands/lookup.ts';
import { pause, resume } from './commands/pause.ts';
import { proposal } from './commands/proposal.ts';
import { proposals } from './commands/proposals.ts';
import { results } from './commands/results.ts';
import { settings } from './commands/settings.ts';
import { setups } from './commands/setups.ts';
import { stats } from './commands/stats.ts';
import { status } from './commands/status.ts';
import { subscribe } from './commands/subscribe.ts';
import { template } from './commands/template.ts';
import { unsubscribe } from './commands/unsubscribe.ts';
import { homeOpened } from './home/show-home.ts';
import type {
  ActionRoute,
  CommandRoute,
  HomeOpenedCall,
  LinkSharedCall,
  ShortcutRoute,
  ViewRoute,
} from './routes.ts';
import { lookUpProject } from './shortcuts/look-up-project.ts';
import { unfurlProjects } from './unfurls/unfurl-projects.ts';
import { accessView } from './views/access-submission.ts';
import { settingsView } from './views/settings-submission.ts';

/** In the order of help. */
export const commands: readonly CommandRoute[] = [
  subscribe,
  unsubscribe,
  list,
  pause,
  resume,
  settings,
  lookup,
  results,
  bid,
  job,
  setups,
  template,
  proposals,
  proposal,
  digest,
  stats,
  budget,
  status,
  access,
  audit,
  helpOn(() => commands),
];

export const actions: readonly ActionRoute[] = [
  ...bidActions,
  ...jobActions,
  proposalShow,
  ...proposalsActions,
  statsDimension,
  details,
  claim,
  release,
  more,
  unskip,
  showMore,
  subscriptions.unsubscribe,
  subscriptions.endProfileFeed,
  subscriptions.unmute,
  subscriptions.density,
  ...resultActions,
  setupsPage,
  setupsBack,
  ...invitationActions,
  ...templateDraftActions,
  ...templateActions,
  confirmBudget,
  ...accessActions,
  ...settingsActions,
  ...auditActions,
  ...homeActions,
  openLink,
];

export const views: readonly ViewRoute[] = [
  bidView,
  accessView,
  settingsView,
  ...templateViews,
  homeBudgetView,
];

export const shortcuts: readonly ShortcutRoute[] = [lookUpProject];

/** By Slack's name of the event. */
export const events: {
  readonly app_home_opened: (call: HomeOpenedCall) => Promise<void>;
  readonly link_shared: (call: LinkSharedCall) => Promise<void>;
} = {
  app_home_opened: homeOpened,
  link_shared: unfurlProjects,
};

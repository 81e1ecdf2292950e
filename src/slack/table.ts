/** The one table: every command, press, modal, shortcut and event, and what handles it. Routing, roles and help come from it. */
import { accessActions } from './actions/access.ts';
import { auditActions } from './actions/audit.ts';
import { bidActions } from './actions/bid.ts';
import { bidView } from './actions/bid-submit.ts';
import { claim, release, unskip } from './actions/claims.ts';
import { details } from './actions/details.ts';
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
import * as subscriptions from './actions/subscriptions.ts';
import { templateDraftActions } from './actions/template-drafts.ts';
import { templateActions, templateViews } from './actions/template-routes.ts';
import { access } from './commands/access.ts';
import { audit } from './commands/audit.ts';
import { bid } from './commands/bid.ts';
import { budget } from './commands/budget.ts';
import { helpOn } from './commands/help.ts';
import { job } from './commands/job.ts';
import { list } from './commands/list.ts';
import { lookup } from './commands/lookup.ts';
import { pause, resume } from './commands/pause.ts';
import { proposal } from './commands/proposal.ts';
import { proposals } from './commands/proposals.ts';
import { results } from './commands/results.ts';
import { setups } from './commands/setups.ts';
import { settings } from './commands/settings.ts';
import { status } from './commands/status.ts';
import { subscribe } from './commands/subscribe.ts';
import { template } from './commands/template.ts';
import { unsubscribe } from './commands/unsubscribe.ts';
import type { ActionRoute, CommandRoute, LinkSharedCall, ShortcutRoute, ViewRoute } from './routes.ts';
import { lookUpProject } from './shortcuts/look-up-project.ts';
import { unfurlProjects } from './unfurls/unfurl-projects.ts';
import { accessView } from './views/access-submission.ts';

/** In the order of help. */
import { settingsView } from './views/settings-submission.ts';
export const commands: readonly CommandRoute[] = [
  subscribe,
  unsubscribe,
  list,
  pause,
  resume,
  lookup,
  results,
  settings,
  bid,
  job,
  setups,
  template,
  proposals,
  proposal,
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
  ...accessActions,
  ...auditActions,
  openLink,
];

  ...settingsActions,
export const views: readonly ViewRoute[] = [bidView, accessView, settingsView, ...templateViews];

export const shortcuts: readonly ShortcutRoute[] = [lookUpProject];

/** By Slack's name of the event. */
export const events: { readonly link_shared: (call: LinkSharedCall) => Promise<void> } = {
  link_shared: unfurlProjects,
};

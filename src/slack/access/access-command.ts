/** `/gig access`, and the buttons to request, grant and decline a role. */
import { GrantedRole, hasRoleAtLeast, toAccessScope } from '../../access/access.ts';
import { asError } from '../../errors.ts';
import { SlackCallError } from '../core/errors.ts';
import { updateViewIfOpen } from '../core/handler-steps.ts';
import { notAllowedMessage, unknownButtonMessage } from '../core/request-errors.ts';
import type { ActionCall, ActionRoute, CommandCall, CommandRoute } from '../core/routes.ts';
import { readUserGroups } from '../core/user-groups.ts';
import { inputErrorMessage } from '../kit/command-text.ts';
import { actionIds } from '../kit/ids.ts';
import { codeText } from '../kit/mrkdwn.ts';
import {
  ACCESS_OUT_OF_DATE,
  ACCESS_REQUEST_GONE,
  accessRequestAlreadyDecidedMessage,
  accessRequestedMessage,
} from './access.ts';
import {
  type AccessModalFacts,
  accessModal,
  accessModalMetadataCodec,
  accessScopeChoices,
} from './access-modal.ts';

/** Only admins everywhere may change that list; a direct message has no other list. */
async function isAdminEverywhere({ services, channel, person }: CommandCall): Promise<boolean> {
  if (toAccessScope(channel) === 'everywhere') return true;
  const everywhere = await services.resolvePerson(person.user);
  return hasRoleAtLeast(everywhere.role, 'admin');
}

/** The person may have closed the modal by now, which is no failure. */
async function completeView(call: CommandCall, viewId: string, facts: AccessModalFacts): Promise<void> {
  const { slack, log } = call.services;
  const groups = await readUserGroups(call.services);
  try {
    await slack.updateView(viewId, accessModal({ ...facts, groups }));
  } catch (thrown) {
    if (!(thrown instanceof SlackCallError)) throw thrown;
    log.info('could not show user groups', { error: thrown.code });
  }
}

async function openAccess(call: CommandCall): Promise<void> {
  const { services, channel } = call;
  const mistake = `Leave out ${codeText(call.args, 60)}: this command has no options.`;
  if (call.args !== '') return call.answer(inputErrorMessage(mistake, 'access'));
  const [list, mayChoose] = await Promise.all([
    services.access.readAccessList(toAccessScope(channel)),
    isAdminEverywhere(call),
  ]);
  const facts: AccessModalFacts = { list, channel, canSwitchScope: mayChoose, groups: { kind: 'loading' } };
  const viewId = await services.slack.openView(call.triggerId, accessModal(facts));
  await completeView(call, viewId, facts);
}

export const accessCommand: CommandRoute = {
  word: 'access',
  topic: 'about',
  needs: 'admin',
  usage: ['access'],
  summary: 'Choose bidders and admins. People and user groups, in this channel or everywhere.',
  details: [
    'Full members can subscribe, claim, skip and look up projects. ' +
      "*Bidders* can also send and approve bids: this spends connects, the marketplace's bid currency. " +
      '*Admins* can also set budgets, pause the feed, read the audit log and change these lists.',
    "Workspace admins and owners, and people in Gigdesk's setting `ADMIN_USER_IDS`, are always admins. " +
      'Guests and external members can only read.',
    "Channel admins change their own channel's list. " +
      'People without a role see *Request Access*, and an admin grants it with one button.',
  ].join('\n'),
  examples: ['access'],
  run: openAccess,
};

async function ask(call: ActionCall): Promise<void> {
  const { services, channel, person } = call;
  const role = GrantedRole.safeParse(call.value).data;
  if (!role) return call.answer(unknownButtonMessage());
  if (hasRoleAtLeast(person.role, role))
    return call.replace({ text: `You already have ${role} access here. Try again.` });
  const asked = await services.access.requestRole({ user: person.user, channel, role });
  await call.replace(accessRequestedMessage(asked, await isInChannel(call)));
}

/** Whether the channel can show the request; if unknown, assumes yes. */
async function isInChannel({ services, channel }: ActionCall): Promise<boolean> {
  try {
    return (await services.slack.checkReachability(channel)).kind === 'member';
  } catch (thrown) {
    services.log.info('could not check whether a channel is reachable', { channel, error: asError(thrown) });
    return true;
  }
}

/**
 * The request's own channel decides, wherever its post was pressed: only an admin of that channel may answer,
 * also in direct messages. The updated post shows the decision.
 */
async function decide(call: ActionCall, grant: boolean): Promise<void> {
  const { services } = call;
  const request = await services.access.readAccessRequest(call.value);
  if (!request) return call.answer(ACCESS_REQUEST_GONE);
  const person = await services.resolvePerson(call.person.user, request.channel);
  // Admin is the highest role, so people grant at most their own role, and only admins can answer their own
  // requests.
  if (!hasRoleAtLeast(person.role, 'admin'))
    return call.answer(notAllowedMessage(person, 'admin', { mayAsk: false }));
  const outcome = await services.access.decideAccessRequest({ request: request.id, by: person.user, grant });
  if (!outcome) return call.answer(ACCESS_REQUEST_GONE);
  if (outcome.kind === 'taken') await call.answer(accessRequestAlreadyDecidedMessage(outcome.request));
}

async function chooseScope(call: ActionCall): Promise<void> {
  const { services, view, person } = call;
  const place = view && accessModalMetadataCodec.read(view.privateMetadata);
  const isEverywhere = call.value === accessScopeChoices.everywhere;
  if (!place || !(isEverywhere || call.value === accessScopeChoices.here))
    return call.answer({ text: ACCESS_OUT_OF_DATE });
  const everywhere = await services.resolvePerson(person.user);
  const mayChoose = hasRoleAtLeast(everywhere.role, 'admin');
  const scope = isEverywhere ? 'everywhere' : toAccessScope(place.channel);
  if (scope === 'everywhere' && !mayChoose)
    return call.answer(notAllowedMessage(everywhere, 'admin', { mayAsk: false }));
  const [list, groups] = await Promise.all([services.access.readAccessList(scope), readUserGroups(services)]);
  const shown = accessModal({ list, channel: place.channel, canSwitchScope: mayChoose, groups });
  await updateViewIfOpen(services, view.id, shown);
}

export const accessActions: readonly ActionRoute[] = [
  { id: actionIds.accessAsk, needs: 'viewer', run: ask },
  // `decide` checks whether the person is an admin in the request's channel.
  { id: actionIds.accessGrant, needs: 'viewer', run: (call) => decide(call, true) },
  { id: actionIds.accessDecline, needs: 'viewer', run: (call) => decide(call, false) },
  {
    id: actionIds.accessScope,
    needs: 'admin',
    // The view's channel grants nothing: the person's role there is looked up for this press.
    findChannel: async ({ view }) => accessModalMetadataCodec.read(view.privateMetadata)?.channel,
    run: chooseScope,
  },
];

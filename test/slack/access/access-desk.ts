/** A desk with visible modals, and roles that differ by place. */
import type { ModalView } from '@slack/types';
import type { AccessList, AccessScope, Grantees, Role } from '../../../src/access/access.ts';
import { ChannelId, UserId } from '../../../src/ids.ts';
import { accessView } from '../../../src/slack/access/access-modal.ts';
import type {
  ActionCall,
  Message,
  PressedView,
  Services,
  SubmissionResponse,
  ViewInputValue,
  ViewSubmissionCall,
  ViewValues,
} from '../../../src/slack/core/routes.ts';
import { findViewLimitProblems } from '../../../src/slack/kit/check-limits.ts';
import { startDesk } from '../fakes.ts';
import { ANA, BEN, CHANNEL } from '../samples.ts';

export const DM = ChannelId.parse('D0ANA');
export const BOSS = BEN;

type Field = 'bidders' | 'bidder-groups' | 'admins' | 'admin-groups';
export type Filled = Partial<Record<Field, readonly string[]>>;

export function startAccessDesk() {
  const desk = startDesk();
  const roles = new Map<string, Role>();
  const views: ModalView[] = [];
  const state = {
    groups: async () =>
      [
        { id: 'S1', name: 'Design <!channel>', handle: 'design' },
        { id: 'S2', name: 'Build', handle: 'build' },
      ] as Awaited<ReturnType<Services['slack']['listUserGroups']>>,
    updateFails: undefined as Error | undefined,
  };
  const show = (view: ModalView) => {
    const problems = findViewLimitProblems(view);
    if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('; '));
    views.push(view);
  };
  const services: Services = {
    ...desk.services,
    resolvePerson: async (user, channel) => ({
      user,
      role: roles.get(`${user} ${channel ?? 'everywhere'}`) ?? 'viewer',
    }),
    slack: {
      ...desk.services.slack,
      async openView(_trigger, view) {
        show(view);
        return 'V1';
      },
      async updateView(_id, view) {
        if (state.updateFails) throw state.updateFails;
        show(view);
      },
      listUserGroups: () => state.groups(),
    },
  };

  /** Slack's payload for the newest view, filled in like this; other fields keep their values. */
  function pressed(filled: Filled): PressedView {
    const view = views.at(-1);
    if (!view) throw new Error('no view was opened');
    const values = new Map(readInitial(view));
    for (const [field, chosen] of Object.entries(filled)) {
      const id = blockOf(view, field);
      values.delete(id);
      if (chosen.length > 0) values.set(id, chosenValue(field, chosen));
    }
    const { callback_id: callbackId = '', private_metadata: privateMetadata = '' } = view;
    return { id: 'V1', rootId: 'V1', hash: 'h1', callbackId, privateMetadata, values };
  }

  return {
    ...desk,
    services,
    state,
    roles,
    views,
    pressed,
    /** A person's role in a place; everywhere without a place. */
    give(user: UserId, role: Role, place: string = 'everywhere') {
      roles.set(`${user} ${place}`, role);
    },
    /** Submits a view as Slack does, with the role at the place named by the answer. */
    async submit(view: PressedView, user: UserId = ANA): Promise<SubmissionResponse> {
      const answer = await accessView.submit({ user, view, services });
      const channel = answer.channel ?? DM;
      const person = await services.resolvePerson(user, channel);
      if (person.role === 'admin') {
        const call: ViewSubmissionCall = {
          ...desk.command('', user, 'admin'),
          services,
          channel,
          person,
          view,
        };
        await answer.after?.(call);
      }
      return answer;
    },
    command(args: string, user: UserId, role: Role, channel = CHANNEL) {
      return { ...desk.command(args, user, role), services, channel };
    },
    press(
      value: string,
      by: {
        readonly user?: UserId;
        readonly role?: Role;
        readonly channel?: ChannelId;
        readonly view?: PressedView;
      } = {},
    ): ActionCall {
      const { user = ANA, role = 'viewer', channel = CHANNEL, view } = by;
      const call = desk.press(value, undefined, user, role);
      return { ...call, services, channel, ...(view ? { view } : {}) };
    },
    async set(scope: AccessScope, lists: Partial<Pick<AccessList, 'bidder' | 'admin'>>, by: UserId = BOSS) {
      const nobody: Grantees = { users: [], groups: [] };
      const { revision: seen } = await services.access.readAccessList(scope);
      await services.access.changeAccessList({
        scope,
        bidder: nobody,
        admin: nobody,
        ...lists,
        by,
        seenRevision: seen,
      });
    },
    last: (): Message => desk.shown.at(-1)?.message ?? { text: '' },
  };
}

export type AccessDesk = ReturnType<typeof startAccessDesk>;

function blockOf(view: ModalView, field: string): string {
  const block = view.blocks.find((each) => each.block_id?.startsWith(`${field}:`));
  if (!block?.block_id) throw new Error(`no field ${field}`);
  return block.block_id;
}

function chosenValue(field: string, chosen: readonly string[]): ViewInputValue {
  return field.includes('-') ? { options: chosen } : { users: chosen.map((id) => UserId.parse(id)) };
}

/** The initial values of a view's fields. */
function readInitial(view: ModalView): ViewValues {
  const values = new Map();
  for (const block of view.blocks) {
    if (block.type !== 'input' || !('element' in block)) continue;
    const { element } = block;
    if (element.type === 'multi_users_select' && element.initial_users)
      values.set(block.block_id, { users: element.initial_users });
    if (element.type === 'multi_static_select' && element.initial_options)
      values.set(block.block_id, { options: element.initial_options.map((it) => it.value) });
  }
  return values;
}

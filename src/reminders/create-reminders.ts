/** Stores reminders, and posts those that are due; see reminders.ts for the contract. */
import type { Clock } from '../clock.ts';
import type { TeamId } from '../ids.ts';
import { enqueuePost } from '../outbox/outbox.ts';
import { PostId } from '../outbox/posts.ts';
import type { Store } from '../storage/store.ts';
import { type Reminder, reminders } from './records.ts';
import { type ReminderService, reminderKey } from './reminders.ts';

interface RemindersContext {
  readonly team: TeamId;
  readonly store: Store;
  readonly clock: Clock;
}

/** A person with more reminders has another tool for them. */
const MOST_OF_A_PERSON = 100;
/** Per transaction, which delays other writers. */
const POSTED_AT_ONCE = 50;

/** The same for each try to deliver it, and another one for a later reminder of the same card. */
function postIdOf({ user, channel, project, setAt }: Reminder): PostId {
  return PostId.parse(`reminder:${user}:${channel}:${project}:${setAt}`);
}

/** Deletes what it posts in the same transaction. @returns whether more may be due */
function postDueReminders({ team, store, clock }: RemindersContext): Promise<boolean> {
  return store.transact(async (tx) => {
    const at = clock.now();
    const range = { index: 'byDue', prefix: [team], to: [at + 1], limit: POSTED_AT_ONCE } as const;
    const due = await tx.list(reminders, range);
    for (const { key, value } of due) {
      const { user, channel, project, title, setAt, link } = value;
      await enqueuePost(tx, {
        team,
        id: postIdOf(value),
        channel: user,
        content: { kind: 'reminder', channel, project, title, setAt, link },
        order: at,
        at,
      });
      await tx.delete(reminders, key);
    }
    return due.length === POSTED_AT_ONCE;
  });
}

export function createReminderService(context: RemindersContext): ReminderService {
  const { team, store, clock } = context;
  return {
    setReminder: (reminder) =>
      store.transact(async (tx) => {
        const { user } = reminder;
        const key = reminderKey(team, reminder);
        const isNew = !(await tx.has(reminders, key));
        const own = await tx.list(reminders, { prefix: [team, user], limit: MOST_OF_A_PERSON });
        if (isNew && own.length >= MOST_OF_A_PERSON) return 'full';
        await tx.put(reminders, key, { ...reminder, team, setAt: clock.now() });
        return 'set';
      }),

    cancelReminder: (place) =>
      store.transact(async (tx) => {
        const key = reminderKey(team, place);
        if (!(await tx.has(reminders, key))) return false;
        await tx.delete(reminders, key);
        return true;
      }),

    findReminder: (tx, place) => tx.get(reminders, reminderKey(team, place)),

    job: {
      name: 'reminders',
      async runIfDue(at, signal) {
        const range = { index: 'byDue', prefix: [team], to: [at + 1], limit: 1 } as const;
        if ((await store.read((tx) => tx.list(reminders, range))).length === 0) return;
        while (!signal.aborted && (await postDueReminders(context)));
      },
    },
  };
}

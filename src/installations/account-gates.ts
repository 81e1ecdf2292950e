/**
 * The request gates of marketplace accounts: workspaces that use the same token share its limit, so they
 * share a gate. One process at a time has an account, and its latest requests are in the database.
 */
import { type ClosableRequestGate, type GateJournal, GateMemory } from '../marketplace/gate/gate.ts';
import { createRequestGate, type GateOptions } from '../marketplace/gate/request-gate.ts';
import { createLostError, type Database, toDatabaseError } from '../storage/postgres/database.ts';
import { ACCOUNT_LOCK, type Leases } from '../storage/postgres/leases.ts';
import { StorageError } from '../storage/store.ts';

interface Place {
  readonly database: Database;
  readonly leases: Pick<Leases, 'acquire' | 'holds' | 'release'>;
}

/** `users`: the workspaces that have it open. */
interface SharedGate {
  readonly gate: Promise<ClosableRequestGate>;
  users: number;
}

export class AccountGates {
  readonly #options: Omit<GateOptions, 'journal'>;
  readonly #shared = new Map<string, SharedGate>();

  constructor(options: Omit<GateOptions, 'journal'>) {
    this.#options = options;
  }

  /**
   * Each workspace closes what it got; the last one gives the account up.
   * @throws StorageError `locked` while another process has it
   */
  async open(account: string, place: Place): Promise<ClosableRequestGate> {
    const shared = this.#shared.get(account);
    // The last one is closing it, or its lease was lost.
    if (shared && (shared.users === 0 || !place.leases.holds(ACCOUNT_LOCK, account))) throw inUse();
    const joined = shared ?? { gate: this.#open(account, place), users: 0 };
    this.#shared.set(account, joined);
    joined.users += 1;
    const leave = () => this.#leave(account, joined, place);
    try {
      const gate = await joined.gate;
      return {
        acquirePermit: (lane, options) => gate.acquirePermit(lane, options),
        status: () => gate.status(),
        close: leave,
      };
    } catch (thrown) {
      await leave();
      throw thrown;
    }
  }

  async #open(account: string, { database, leases }: Place): Promise<ClosableRequestGate> {
    if (!(await leases.acquire(ACCOUNT_LOCK, account))) throw inUse();
    const journal = await openJournal(database, account);
    return createRequestGate({ ...this.#options, journal });
  }

  async #leave(account: string, shared: SharedGate, { leases }: Place): Promise<void> {
    shared.users -= 1;
    if (shared.users > 0) return;
    await shared.gate.then((gate) => gate.close()).catch(() => undefined);
    await leases.release(ACCOUNT_LOCK, account);
    this.#shared.delete(account);
  }
}

function inUse(): StorageError {
  return new StorageError('locked', 'Another process uses this marketplace account.');
}

/** What an earlier process still stores is refused from now on. */
async function openJournal(database: Database, account: string): Promise<GateJournal> {
  try {
    const [row] = await database<{ epoch: string }[]>`
      insert into accounts (id) values (${account})
      on conflict (id) do update set epoch = accounts.epoch + 1, opened_at = now()
      returning epoch`;
    const epoch = Number(row?.epoch);
    return {
      async load() {
        const [stored] = await database<{ gate: string | null }[]>`
          select gate from accounts where id = ${account}`;
        return stored?.gate ? GateMemory.parse(JSON.parse(stored.gate)) : undefined;
      },
      async save(memory) {
        const stored = await database`
          update accounts set gate = ${JSON.stringify(memory)} where id = ${account} and epoch = ${epoch}`;
        if (stored.count === 0) throw createLostError();
      },
    };
  } catch (thrown) {
    throw toDatabaseError(thrown, 'open the marketplace account');
  }
}

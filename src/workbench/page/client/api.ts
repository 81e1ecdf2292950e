/** The page's requests to its server, as protocol.ts has them. */
import type {
  MarketAct,
  PageAct,
  PageAnswer,
  PageWorld,
  ShownMarket,
  ShownMessage,
  ShownView,
} from '../protocol.ts';
import type { Browser } from './browser.ts';

type WithoutPerson<T> = T extends unknown ? Omit<T, 'as'> : never;

/** What a person does; as whom is added on the way. */
export type Deed = WithoutPerson<PageAct>;

const AWAY = "The sandbox isn't responding. Is it still running in the terminal?";

/** The server could not be asked, or refused; the message is for the person. */
export class Unanswered extends Error {}

function query(fields: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string]],
  );
  return new URLSearchParams(given).toString();
}

async function problemOf(response: Response): Promise<string> {
  try {
    const answer = (await response.json()) as Partial<Extract<PageAnswer, { ok: false }>>;
    return answer.problem ?? `The sandbox returned an error (${response.status}).`;
  } catch {
    return `The sandbox returned an error (${response.status}).`;
  }
}

/** All methods but `act` and `order` throw `Unanswered`. */
export class Api {
  readonly #fetch: Browser['fetch'];
  readonly #as: () => string;

  constructor(browser: Pick<Browser, 'fetch'>, as: () => string) {
    this.#fetch = browser.fetch;
    this.#as = as;
  }

  /** Of whoever the server takes when no person is chosen yet. */
  world(): Promise<PageWorld> {
    return this.#get('world', {});
  }

  channel(channel: string, before?: string): Promise<readonly ShownMessage[]> {
    return this.#get('channel', { channel, before });
  }

  thread(channel: string, ts: string): Promise<readonly ShownMessage[]> {
    return this.#get('thread', { channel, ts });
  }

  views(): Promise<readonly ShownView[]> {
    return this.#get('views', {});
  }

  home(): Promise<ShownView | null> {
    return this.#get('home', {});
  }

  market(): Promise<ShownMarket> {
    return this.#get('market', {});
  }

  act(deed: Deed): Promise<PageAnswer> {
    return this.#post('act', { as: this.#as(), ...deed });
  }

  order(act: MarketAct): Promise<PageAnswer> {
    return this.#post('market', act);
  }

  async #get<T>(what: string, fields: Readonly<Record<string, string | undefined>>): Promise<T> {
    const as = this.#as();
    const asked = query({ as: as === '' ? undefined : as, ...fields });
    const response = await this.#send(`/api/${what}?${asked}`);
    if (!response.ok) throw new Unanswered(await problemOf(response));
    return (await response.json()) as T;
  }

  async #post(what: string, body: unknown): Promise<PageAnswer> {
    try {
      const response = await this.#send(`/api/${what}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!response.ok) return { ok: false, problem: await problemOf(response) };
      return (await response.json()) as PageAnswer;
    } catch (thrown) {
      return { ok: false, problem: thrown instanceof Unanswered ? thrown.message : AWAY };
    }
  }

  async #send(address: string, request?: RequestInit): Promise<Response> {
    try {
      return await this.#fetch(address, request);
    } catch (cause) {
      throw new Unanswered(AWAY, { cause });
    }
  }
}

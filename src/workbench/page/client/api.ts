/** The page's requests to its server, as in protocol.ts. */
import type {
  MarketAction,
  PageAction,
  PageActionResult,
  PageWorkspace,
  ShownMarket,
  ShownMessage,
  ShownView,
} from '../protocol.ts';
import type { BrowserApi } from './browser.ts';

type WithoutPerson<T> = T extends unknown ? Omit<T, 'as'> : never;

/** A person's action; the page adds the person. */
export type PageActionWithoutPerson = WithoutPerson<PageAction>;

const AWAY = "The sandbox isn't responding. Is it still running in the terminal?";

/** The server is unreachable or refused; the message is for the person. */
export class ApiRequestError extends Error {}

function query(fields: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string]],
  );
  return new URLSearchParams(given).toString();
}

async function problemOf(response: Response): Promise<string> {
  try {
    const answer = (await response.json()) as Partial<Extract<PageActionResult, { ok: false }>>;
    return answer.problem ?? `The sandbox returned an error (${response.status}).`;
  } catch {
    return `The sandbox returned an error (${response.status}).`;
  }
}

/** All methods but `performAction` and `performMarketAction` throw `ApiRequestError`. */
export class PageApi {
  readonly #fetch: BrowserApi['fetch'];
  readonly #as: () => string;

  constructor(browser: Pick<BrowserApi, 'fetch'>, as: () => string) {
    this.#fetch = browser.fetch;
    this.#as = as;
  }

  /** The server picks a person when none is chosen yet. */
  fetchWorkspace(): Promise<PageWorkspace> {
    return this.#get('world', {});
  }

  fetchChannelMessages(channel: string, before?: string): Promise<readonly ShownMessage[]> {
    return this.#get('channel', { channel, before });
  }

  fetchThread(channel: string, ts: string): Promise<readonly ShownMessage[]> {
    return this.#get('thread', { channel, ts });
  }

  fetchViews(): Promise<readonly ShownView[]> {
    return this.#get('views', {});
  }

  fetchHome(): Promise<ShownView | null> {
    return this.#get('home', {});
  }

  fetchMarket(): Promise<ShownMarket> {
    return this.#get('market', {});
  }

  performAction(deed: PageActionWithoutPerson): Promise<PageActionResult> {
    return this.#post('act', { as: this.#as(), ...deed });
  }

  performMarketAction(act: MarketAction): Promise<PageActionResult> {
    return this.#post('market', act);
  }

  async #get<T>(what: string, fields: Readonly<Record<string, string | undefined>>): Promise<T> {
    const as = this.#as();
    const asked = query({ as: as === '' ? undefined : as, ...fields });
    const response = await this.#send(`/api/${what}?${asked}`);
    if (!response.ok) throw new ApiRequestError(await problemOf(response));
    return (await response.json()) as T;
  }

  async #post(what: string, body: unknown): Promise<PageActionResult> {
    try {
      const response = await this.#send(`/api/${what}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!response.ok) return { ok: false, problem: await problemOf(response) };
      return (await response.json()) as PageActionResult;
    } catch (thrown) {
      return { ok: false, problem: thrown instanceof ApiRequestError ? thrown.message : AWAY };
    }
  }

  async #send(address: string, request?: RequestInit): Promise<Response> {
    try {
      return await this.#fetch(address, request);
    } catch (cause) {
      throw new ApiRequestError(AWAY, { cause });
    }
  }
}

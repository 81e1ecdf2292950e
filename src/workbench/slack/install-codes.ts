/** The codes of people who allowed an installation. Each gives the app a bot token once. */
import { type Clock, MINUTE } from '../../clock.ts';
import type { SlackIdGenerator } from './identifiers.ts';
import type { JsonObject } from './objects.ts';

const CODE_LIVES_MS = 10 * MINUTE;

interface InstallCode {
  readonly redirectUri: string;
  readonly expiresAt: number;
  /** What the app gets for the code. */
  readonly grant: JsonObject;
}

export class InstallCodeStore {
  readonly #clock: Clock;
  readonly #ids: SlackIdGenerator;
  readonly #codes = new Map<string, InstallCode>();

  constructor(clock: Clock, ids: SlackIdGenerator) {
    this.#clock = clock;
    this.#ids = ids;
  }

  issue(redirectUri: string, grant: JsonObject): string {
    const code = `${this.#ids.nextId('')}.${this.#ids.randomToken(40)}`;
    this.#codes.set(code, { redirectUri, grant, expiresAt: this.#clock.now() + CODE_LIVES_MS });
    return code;
  }

  /** A wrong address doesn't use the code up. */
  redeem(code: string, redirectUri: string | undefined): JsonObject | 'invalid_code' | 'bad_redirect_uri' {
    const issued = this.#codes.get(code);
    if (!issued || this.#clock.now() >= issued.expiresAt) return 'invalid_code';
    if (issued.redirectUri !== redirectUri) return 'bad_redirect_uri';
    this.#codes.delete(code);
    return issued.grant;
  }

  clear(): void {
    this.#codes.clear();
  }
}

/** A tool that sends hints, as someone would set it up: it takes the address from the form that shows it. */
import type { SimulatedSlack } from './slack/simulated-slack.ts';

export interface HintTool {
  readonly hasAddress: boolean;
  /** @returns whether the address took it */
  sendHint(filters: readonly number[]): Promise<boolean>;
}

const PATH = /\/hooks\/T[\w-]+/u;

/** @param baseUrl of the app, once it listens. @param fetch reaches it */
export function createHintTool(
  slack: Pick<SimulatedSlack, 'onChange' | 'view' | 'user'>,
  baseUrl: () => string,
  fetch: typeof globalThis.fetch,
): HintTool {
  let path: string | undefined;
  slack.onChange((change) => {
    if (change.kind !== 'view') return;
    const view = slack.view(slack.user(change.userId).name);
    path = PATH.exec(JSON.stringify(view?.blocks ?? []))?.[0] ?? path;
  });
  return {
    get hasAddress() {
      return path !== undefined;
    },
    async sendHint(filters) {
      if (path === undefined) return false;
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ event: 'new_project', filter: filters });
      const answer = await fetch(baseUrl() + path, { method: 'POST', headers, body }).catch(() => undefined);
      return answer?.ok === true;
    },
  };
}

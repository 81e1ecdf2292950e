/**
 * The baseline: a bare Bolt app with the same answers prepared, and a bare server that rejects every request.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { App, HTTPReceiver, type RespondArguments } from '@slack/bolt';
import { signingSecret } from '../app/place.ts';
import { answerQuestions } from '../contender.ts';
import { cpuMs } from '../cpu-time.ts';
import { type Kind, kindAnswered } from './interactions.ts';

/** The app's answers, by interaction kind. */
export type ReadyAnswers = Readonly<Partial<Record<Kind, unknown>>>;

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('not listening');
  return address.port;
}

/** Acknowledges, then posts the answer to the request's response_url, as a Bolt handler does. */
async function startBolt(answers: ReadyAnswers): Promise<string> {
  const answerTo = (responseUrl: string) => {
    const kind = kindAnswered(new URL(responseUrl).pathname);
    if (kind === undefined) throw new Error('unknown kind of response');
    return answers[kind] as RespondArguments;
  };
  const app = new App({
    receiver: new HTTPReceiver({ signingSecret, endpoints: '/slack/events' }),
    token: 'xoxb-none',
    botId: 'B0GIGBOT',
    botUserId: 'U0GIGBOT',
    tokenVerificationEnabled: false,
  });
  app.command('/gig', async ({ ack, body, respond }) => {
    await ack();
    await respond(answerTo(body.response_url));
  });
  app.action(/(?:)/u, async ({ ack, body, respond }) => {
    await ack();
    if ('response_url' in body) await respond(answerTo(String(body.response_url)));
  });
  const server = await app.start({ port: 0, host: '127.0.0.1' });
  return `http://127.0.0.1:${portOf(server.address() as AddressInfo)}/slack/events`;
}

async function startRefusing(): Promise<string> {
  const server = createServer((incoming, response) => {
    incoming.resume().on('end', () => response.writeHead(401).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${portOf(server.address())}/`;
}

const answers = {
  bolt: (ready: ReadyAnswers): Promise<string> => startBolt(ready),
  cpu: async (_nothing: undefined): Promise<number> => cpuMs(),
  refuse: (_nothing: undefined): Promise<string> => startRefusing(),
};
export type BareProcess = typeof answers;

answerQuestions(answers);

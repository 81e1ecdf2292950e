/** The HTTP side: Web API methods, the upload address and response urls. */
import { answerJson, answerText, type Exchange, parseJson } from '../../http.ts';
import type { Json } from '../objects.ts';
import { isObject, textOf } from '../reading.ts';
import type { Site } from '../site.ts';
import { readArguments } from './arguments.ts';
import { bearerOf } from './bearer.ts';
import { answerCall, type CallAnswer } from './call.ts';
import { PRIVATE_FILES, SIGN_IN, servePrivateFile, serveSignIn } from './private-files.ts';
import { Refusal } from './refusal.ts';
import { applyResponse } from './respond.ts';
import { type Outcome, withTrouble } from './trouble.ts';
import { fileFromForm } from './upload-form.ts';

function logCall(site: Site, method: string, at: number, args: Json, outcome: Outcome): void {
  const { answer, trouble } = outcome;
  const error = trouble ?? (answer?.body['ok'] === true ? undefined : textOf(answer?.body['error']));
  const messages = answer?.messages ?? [];
  const ordered = trouble !== undefined;
  site.journal.log({ method, at, args, ok: error === undefined, error, messages, ordered });
}

async function serveMethod(exchange: Exchange, method: string, site: Site): Promise<void> {
  const at = site.clock.now();
  const read = readArguments(exchange);
  const { token: sentToken, ...args } = read ?? {};
  const token = bearerOf(exchange) ?? textOf(sentToken);
  const effect = (): CallAnswer =>
    read
      ? answerCall({ method, token, args }, site)
      : { status: 200, body: { ok: false, error: 'invalid_post_type' }, headers: {}, messages: [] };
  const { response } = exchange;
  const struck = site.faults.strike(method, args);
  const outcome = await withTrouble(struck, response, effect, (answer) =>
    answerJson(response, answer.status, answer.body, answer.headers),
  );
  logCall(site, method, at, args, outcome);
}

/** A `response_url` answers `ok`, or the error with 4xx. */
function answerResponseUrl(key: string, body: unknown, site: Site): CallAnswer {
  const refuse = (status: number, error: string, messages: readonly string[] = []): CallAnswer => ({
    status,
    body: { ok: false, error },
    headers: {},
    messages,
  });
  const visit = site.responseUrls.visit(key);
  if ('error' in visit) return refuse(404, visit.error);
  if (!isObject(body)) return refuse(400, 'invalid_payload');
  try {
    applyResponse(body, visit.target, site);
    return { status: 200, body: { ok: true }, headers: {}, messages: [] };
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    return refuse(thrown.code === 'message_not_found' ? 404 : 400, thrown.code, thrown.messages);
  }
}

async function serveResponseUrl(exchange: Exchange, key: string, site: Site): Promise<void> {
  const at = site.clock.now();
  const body = parseJson(exchange.body);
  const args = isObject(body) ? body : {};
  const { response } = exchange;
  const outcome = await withTrouble(
    site.faults.strike('response_url', args),
    response,
    () => answerResponseUrl(key, body, site),
    (answer) =>
      answerText(response, answer.status, answer.status === 200 ? 'ok' : String(answer.body['error'])),
  );
  logCall(site, 'response_url', at, args, outcome);
}

async function serveUpload(exchange: Exchange, id: string, site: Site): Promise<void> {
  const bytes = fileFromForm(exchange.headers['content-type'] ?? '', exchange.body);
  const { response } = exchange;
  const received = (): CallAnswer => {
    const taken = site.files.receive(id, bytes);
    const body = taken ? { ok: true } : { ok: false, error: 'upload_refused' };
    return { status: taken ? 200 : 400, body, headers: {}, messages: [] };
  };
  const outcome = await withTrouble(site.faults.strike('upload', {}), response, received, (answer) =>
    answerText(response, answer.status, answer.status === 200 ? `OK - ${bytes.length}` : 'error'),
  );
  logCall(site, 'upload', site.clock.now(), { file_id: id, length: bytes.length }, outcome);
}

/** One request of the app. */
export async function serveApp(exchange: Exchange, site: Site): Promise<void> {
  const [, area = '', name = '', rest = ''] = exchange.url.pathname.split('/');
  const end = site.journal.begin();
  exchange.response.once('close', end);
  try {
    if (area === 'api') await serveMethod(exchange, name, site);
    else if (area === 'response') await serveResponseUrl(exchange, name, site);
    else if (area === 'upload') await serveUpload(exchange, rest, site);
    else if (area === PRIVATE_FILES) servePrivateFile(exchange, name, site);
    else if (area === SIGN_IN) serveSignIn(exchange);
    else answerText(exchange.response, 404, 'not found');
  } catch (thrown) {
    end();
    throw thrown;
  }
}

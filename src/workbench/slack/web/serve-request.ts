/** The HTTP side: Web API methods, the upload URL and response URLs. */
import { answerJson, answerText, type HttpExchange, parseJsonBody } from '../../http.ts';
import { isJsonObject, stringOrUndefined } from '../json-reading.ts';
import type { JsonObject } from '../objects.ts';
import type { SlackSimulatorContext } from '../simulator-context.ts';
import { answerApiCall, type WebApiResponse } from './answer-api-call.ts';
import { parseArguments } from './arguments.ts';
import { readBearerToken } from './bearer-token.ts';
import { PRIVATE_FILES_PATH, SIGN_IN_PATH, servePrivateFile, serveSignInPage } from './private-files.ts';
import { applyAppResponse } from './respond.ts';
import { type FaultOutcome, runWithFault } from './run-with-fault.ts';
import { SlackApiError } from './slack-api-error.ts';
import { extractUploadedFile } from './upload-form.ts';

function logCall(
  site: SlackSimulatorContext,
  method: string,
  at: number,
  args: JsonObject,
  outcome: FaultOutcome,
): void {
  const { answer, trouble } = outcome;
  const error =
    trouble ?? (answer?.body['ok'] === true ? undefined : stringOrUndefined(answer?.body['error']));
  const messages = answer?.messages ?? [];
  const ordered = trouble !== undefined;
  site.journal.recordCall({ method, at, args, ok: error === undefined, error, messages, ordered });
}

async function serveMethod(
  exchange: HttpExchange,
  method: string,
  site: SlackSimulatorContext,
): Promise<void> {
  const at = site.clock.now();
  const read = parseArguments(exchange);
  const { token: sentToken, ...args } = read ?? {};
  const token = readBearerToken(exchange) ?? stringOrUndefined(sentToken);
  const effect = (): WebApiResponse =>
    read
      ? answerApiCall({ method, token, args }, site)
      : { status: 200, body: { ok: false, error: 'invalid_post_type' }, headers: {}, messages: [] };
  const { response } = exchange;
  const struck = site.faults.takeMatchingFault(method, args);
  const outcome = await runWithFault(struck, response, effect, (answer) =>
    answerJson(response, answer.status, answer.body, answer.headers),
  );
  logCall(site, method, at, args, outcome);
}

/** A `response_url` returns `ok`, or the error with 4xx. */
function answerResponseUrl(key: string, body: unknown, site: SlackSimulatorContext): WebApiResponse {
  const refuse = (status: number, error: string, messages: readonly string[] = []): WebApiResponse => ({
    status,
    body: { ok: false, error },
    headers: {},
    messages,
  });
  const visit = site.responseUrls.redeem(key);
  if ('error' in visit) return refuse(404, visit.error);
  if (!isJsonObject(body)) return refuse(400, 'invalid_payload');
  try {
    applyAppResponse(body, visit.target, site);
    return { status: 200, body: { ok: true }, headers: {}, messages: [] };
  } catch (thrown) {
    if (!(thrown instanceof SlackApiError)) throw thrown;
    return refuse(thrown.code === 'message_not_found' ? 404 : 400, thrown.code, thrown.messages);
  }
}

async function serveResponseUrl(
  exchange: HttpExchange,
  key: string,
  site: SlackSimulatorContext,
): Promise<void> {
  const at = site.clock.now();
  const body = parseJsonBody(exchange.body);
  const args = isJsonObject(body) ? body : {};
  const { response } = exchange;
  const outcome = await runWithFault(
    site.faults.takeMatchingFault('response_url', args),
    response,
    () => answerResponseUrl(key, body, site),
    (answer) =>
      answerText(response, answer.status, answer.status === 200 ? 'ok' : String(answer.body['error'])),
  );
  logCall(site, 'response_url', at, args, outcome);
}

async function serveUpload(exchange: HttpExchange, id: string, site: SlackSimulatorContext): Promise<void> {
  const bytes = extractUploadedFile(exchange.headers['content-type'] ?? '', exchange.body);
  const { response } = exchange;
  const received = (): WebApiResponse => {
    const taken = site.files.receiveBytes(id, bytes);
    const body = taken ? { ok: true } : { ok: false, error: 'upload_refused' };
    return { status: taken ? 200 : 400, body, headers: {}, messages: [] };
  };
  const outcome = await runWithFault(
    site.faults.takeMatchingFault('upload', {}),
    response,
    received,
    (answer) => answerText(response, answer.status, answer.status === 200 ? `OK - ${bytes.length}` : 'error'),
  );
  logCall(site, 'upload', site.clock.now(), { file_id: id, length: bytes.length }, outcome);
}

export async function serveAppRequest(exchange: HttpExchange, site: SlackSimulatorContext): Promise<void> {
  const [, area = '', name = '', rest = ''] = exchange.url.pathname.split('/');
  const end = site.journal.trackRequest();
  exchange.response.once('close', end);
  try {
    if (area === 'api') await serveMethod(exchange, name, site);
    else if (area === 'response') await serveResponseUrl(exchange, name, site);
    else if (area === 'upload') await serveUpload(exchange, rest, site);
    else if (area === PRIVATE_FILES_PATH) servePrivateFile(exchange, name, site);
    else if (area === SIGN_IN_PATH) serveSignInPage(exchange);
    else answerText(exchange.response, 404, 'not found');
  } catch (thrown) {
    end();
    throw thrown;
  }
}

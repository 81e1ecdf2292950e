/** Sends a response, unchanged or as a fault distorts it. */
import type { ServerResponse } from 'node:http';
import type { EndpointResponse } from './endpoint-response.ts';
import type { MatchedMarketplaceFault } from './fault-queue.ts';
import type { MarketplaceFaultEffect } from './faults.ts';

export interface ResponsePayload {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

export function toJsonPayload({ status, body, headers = {} }: EndpointResponse): ResponsePayload {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    bytes: Buffer.from(JSON.stringify(body)),
  };
}

/** The response that a fault sends instead of the correct one. */
export function toFaultPayload(
  effect: MarketplaceFaultEffect & { readonly kind: 'answer' },
): ResponsePayload {
  if (effect.text === undefined) {
    return toJsonPayload({ status: effect.status, body: effect.json ?? null, headers: effect.headers ?? {} });
  }
  return {
    status: effect.status,
    headers: { 'content-type': 'text/plain; charset=utf-8', ...effect.headers },
    bytes: Buffer.from(effect.text),
  };
}

function gone(response: ServerResponse): boolean {
  return response.destroyed || response.writableEnded;
}

function begin(response: ServerResponse, { status, headers, bytes }: ResponsePayload): void {
  response.writeHead(status, { ...headers, 'content-length': bytes.length });
}

function sendWhole(response: ServerResponse, payload: ResponsePayload): boolean {
  if (gone(response)) return false;
  begin(response, payload);
  response.end(payload.bytes);
  return true;
}

function halves(bytes: Buffer): [Buffer, Buffer] {
  const half = Math.ceil(bytes.length / 2);
  return [bytes.subarray(0, half), bytes.subarray(half)];
}

/** Adds white space after the JSON, up to the size. */
function padded(payload: ResponsePayload, size: number): ResponsePayload {
  const tail = Buffer.alloc(Math.max(0, size - payload.bytes.length), ' ');
  return { ...payload, bytes: Buffer.concat([payload.bytes, tail]) };
}

export function resetConnection(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
}

/** Sends the response and calls `answered` once the connection has accepted it all; some faults never do. */
export function sendPayload(
  response: ServerResponse,
  payload: ResponsePayload,
  fault: MatchedMarketplaceFault | undefined,
  answered: () => void,
): void {
  const whole = (given: ResponsePayload) => {
    if (sendWhole(response, given)) answered();
  };
  switch (fault?.effect.kind) {
    case undefined:
    case 'answer':
      whole(payload);
      break;
    case 'huge-body':
      whole(padded(payload, fault.effect.bytes));
      break;
    case 'drop':
      resetConnection(response);
      break;
    case 'hold-headers':
      fault.holdResponse(fault.effect.ms, () => whole(payload));
      break;
    case 'hold-body': {
      const [first, second] = halves(payload.bytes);
      begin(response, payload);
      response.write(first);
      fault.holdResponse(fault.effect.ms, () => {
        if (gone(response)) return;
        response.end(second);
        answered();
      });
      break;
    }
    case 'break-body':
      begin(response, payload);
      // The first half must leave before the reset, or the client would see no headers.
      response.write(halves(payload.bytes)[0], () => response.socket?.destroy());
      break;
  }
}

/** The arguments of one call, sent as a form (objects as JSON text) or as JSON. */
import type { HttpExchange } from '../../http.ts';
import { parseJsonBody } from '../../http.ts';
import { objectOrEmpty } from '../json-reading.ts';
import type { JsonObject } from '../objects.ts';
import { invalidArgumentsError, SlackApiError } from './slack-api-error.ts';

export class CallArguments {
  readonly values: JsonObject;

  constructor(values: JsonObject) {
    this.values = values;
  }

  has(name: string): boolean {
    return this.values[name] !== undefined && this.values[name] !== null && this.values[name] !== '';
  }

  text(name: string): string | undefined {
    const value = this.values[name];
    if (typeof value === 'number') return String(value);
    return typeof value === 'string' ? value : undefined;
  }

  requireText(name: string): string {
    const value = this.text(name);
    if (!value) throw invalidArgumentsError(`missing required field: ${name}`);
    return value;
  }

  flag(name: string): boolean {
    const value = this.values[name];
    return value === true || value === 'true' || value === '1' || value === 1;
  }

  number(name: string, otherwise: number): number {
    if (!this.has(name)) return otherwise;
    const value = Number(this.values[name]);
    if (!Number.isFinite(value)) throw invalidArgumentsError(`must be a number [json-pointer:/${name}]`);
    return value;
  }

  /** An object or list; undefined when absent. @throws SlackApiError `code` when it is unreadable */
  json(name: string, code: string): unknown {
    const value = this.values[name];
    if (value === undefined || value === null || value === '') return undefined;
    if (typeof value !== 'string') return value;
    try {
      return JSON.parse(value);
    } catch {
      throw new SlackApiError(code);
    }
  }
}

/** Undefined for a content type that Slack doesn't accept. */
export function parseArguments(exchange: HttpExchange): JsonObject | undefined {
  const type = (exchange.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  const query = Object.fromEntries(exchange.url.searchParams);
  if (type === 'application/json') {
    const body = parseJsonBody(exchange.body);
    return body === undefined ? undefined : { ...query, ...objectOrEmpty(body) };
  }
  if (type === 'application/x-www-form-urlencoded')
    return { ...query, ...Object.fromEntries(new URLSearchParams(exchange.body.toString('utf8'))) };
  return exchange.body.length === 0 ? query : undefined;
}

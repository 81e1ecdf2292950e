/** The arguments of one call, sent as a form (objects as JSON text) or as JSON. */
import type { Exchange } from '../../http.ts';
import { parseJson } from '../../http.ts';
import type { Json } from '../objects.ts';
import { objectOf } from '../reading.ts';
import { invalidArguments, Refusal } from './refusal.ts';

export class Arguments {
  readonly values: Json;

  constructor(values: Json) {
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

  need(name: string): string {
    const value = this.text(name);
    if (!value) throw invalidArguments(`missing required field: ${name}`);
    return value;
  }

  flag(name: string): boolean {
    const value = this.values[name];
    return value === true || value === 'true' || value === '1' || value === 1;
  }

  number(name: string, otherwise: number): number {
    if (!this.has(name)) return otherwise;
    const value = Number(this.values[name]);
    if (!Number.isFinite(value)) throw invalidArguments(`must be a number [json-pointer:/${name}]`);
    return value;
  }

  /** An object or list; undefined when absent. @throws Refusal `code` when it cannot be read. */
  json(name: string, code: string): unknown {
    const value = this.values[name];
    if (value === undefined || value === null || value === '') return undefined;
    if (typeof value !== 'string') return value;
    try {
      return JSON.parse(value);
    } catch {
      throw new Refusal(code);
    }
  }
}

/** Undefined when the content type is none that Slack takes. */
export function readArguments(exchange: Exchange): Json | undefined {
  const type = (exchange.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  const query = Object.fromEntries(exchange.url.searchParams);
  if (type === 'application/json') {
    const body = parseJson(exchange.body);
    return body === undefined ? undefined : { ...query, ...objectOf(body) };
  }
  if (type === 'application/x-www-form-urlencoded')
    return { ...query, ...Object.fromEntries(new URLSearchParams(exchange.body.toString('utf8'))) };
  return exchange.body.length === 0 ? query : undefined;
}

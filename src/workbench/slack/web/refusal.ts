/** An `ok: false` answer of the Web API. */
import type { Json } from '../objects.ts';

export class Refusal extends Error {
  /** Slack's error code. */
  readonly code: string;
  /** What else the answer carries. */
  readonly fields: Json;
  readonly messages: readonly string[];

  constructor(code: string, fields: Json = {}, messages: readonly string[] = []) {
    super(code);
    this.code = code;
    this.fields = fields;
    this.messages = messages;
  }

  body(): Json {
    const metadata = { response_metadata: { messages: this.messages.map((each) => `[ERROR] ${each}`) } };
    return {
      ok: false,
      error: this.code,
      ...this.fields,
      ...(this.messages.length > 0 ? { errors: this.messages, ...metadata } : {}),
    };
  }
}

/** The answer to arguments that are missing or of the wrong shape. */
export function invalidArguments(...messages: readonly string[]): Refusal {
  return new Refusal('invalid_arguments', {}, messages);
}

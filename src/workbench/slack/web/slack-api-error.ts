/** An `ok: false` answer of the Web API. */
import type { JsonObject } from '../objects.ts';

export class SlackApiError extends Error {
  /** Slack's error code. */
  readonly code: string;
  /** Other fields of the answer. */
  readonly fields: JsonObject;
  readonly messages: readonly string[];

  constructor(code: string, fields: JsonObject = {}, messages: readonly string[] = []) {
    super(code);
    this.code = code;
    this.fields = fields;
    this.messages = messages;
  }

  body(): JsonObject {
    const metadata = { response_metadata: { messages: this.messages.map((each) => `[ERROR] ${each}`) } };
    return {
      ok: false,
      error: this.code,
      ...this.fields,
      ...(this.messages.length > 0 ? { errors: this.messages, ...metadata } : {}),
    };
  }
}

/** For arguments that are missing or of the wrong shape. */
export function invalidArgumentsError(...messages: readonly string[]): SlackApiError {
  return new SlackApiError('invalid_arguments', {}, messages);
}

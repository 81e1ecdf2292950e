/** Socket Mode: websockets on the loopback. Each envelope goes to one of them; acknowledgements come back. */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { machineClock, SECOND } from '../../../clock.ts';
import { parseJsonBody } from '../../http.ts';
import type { SlackActivityLog } from '../activity-log.ts';
import type { SlackIdGenerator } from '../identifiers.ts';
import { objectOrEmpty, stringOrUndefined } from '../json-reading.ts';
import {
  type DeliveryResult,
  nonEmptyBody,
  type OutgoingAppRequest,
  UNDELIVERED_RESULT,
} from './sent-request.ts';

const PING_EVERY_MS = 10 * SECOND;

interface Connection {
  readonly socket: WebSocket;
  /** Still open, but asked to reconnect: gets no more envelopes. */
  retired: boolean;
  readonly waiting: Map<string, (end: DeliveryResult) => void>;
}

export class SocketHub {
  readonly #server = new WebSocketServer({ noServer: true });
  readonly #ids: SlackIdGenerator;
  readonly #journal: SlackActivityLog;
  readonly #appId: string;
  readonly #connections = new Set<Connection>();
  readonly #tickets = new Set<string>();
  #turn = 0;
  #stopPings: () => void;

  constructor(ids: SlackIdGenerator, journal: SlackActivityLog, appId: string) {
    this.#ids = ids;
    this.#journal = journal;
    this.#appId = appId;
    this.#stopPings = this.#pingLater();
  }

  attachToServer(server: Server): void {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const ticket = new URL(request.url ?? '/', 'http://localhost').searchParams.get('ticket') ?? '';
      if (this.#tickets.delete(ticket))
        this.#server.handleUpgrade(request, socket, head, (webSocket) => this.#greet(webSocket));
      else socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n');
    });
  }

  /** The path for a websocket, valid once. */
  issueSocketPath(): string {
    const ticket = this.#ids.randomToken(24);
    this.#tickets.add(ticket);
    return `/link/?ticket=${ticket}&app_id=${this.#appId}`;
  }

  get size(): number {
    return this.#connections.size;
  }

  /** Resolves with the acknowledgement, or when the connection breaks or `giveUp` fires first. */
  send(outgoing: OutgoingAppRequest, giveUp: AbortSignal): Promise<DeliveryResult> {
    const open = [...this.#connections].filter((each) => !each.retired);
    const connection = open[this.#turn++ % Math.max(open.length, 1)];
    if (!connection) return Promise.resolve(UNDELIVERED_RESULT);
    const envelopeId = this.#ids.randomToken(36);
    const { type, payload, retryNum, retryReason } = outgoing;
    const retry = type === 'events_api' ? { retry_attempt: retryNum, retry_reason: retryReason } : {};
    const envelope = {
      envelope_id: envelopeId,
      payload,
      type,
      accepts_response_payload: type !== 'events_api',
      ...retry,
    };
    return new Promise((resolve) => {
      const end = (delivered: DeliveryResult) => {
        connection.waiting.delete(envelopeId);
        giveUp.removeEventListener('abort', late);
        resolve(delivered);
      };
      const late = () => end({ ...UNDELIVERED_RESULT, trouble: 'timeout' });
      giveUp.addEventListener('abort', late, { once: true });
      connection.waiting.set(envelopeId, end);
      connection.socket.send(JSON.stringify(envelope));
    });
  }

  /** Asks connections to reconnect, oldest first. */
  requestReconnects(count: number): void {
    const open = [...this.#connections].filter((each) => !each.retired);
    for (const connection of open.slice(0, count)) {
      connection.retired = true;
      connection.socket.send(
        JSON.stringify({
          type: 'disconnect',
          reason: 'refresh_requested',
          debug_info: { host: 'simulated' },
        }),
      );
    }
  }

  /** Those that are just being opened, too: a process that has died must not finish connecting. */
  cutConnections(): void {
    this.#tickets.clear();
    for (const { socket } of this.#connections) socket.terminate();
  }

  close(): void {
    this.#stopPings();
    this.cutConnections();
    this.#server.close();
  }

  #greet(socket: WebSocket): void {
    const connection: Connection = { socket, retired: false, waiting: new Map() };
    this.#connections.add(connection);
    socket.on('message', (data) => this.#read(connection, Buffer.isBuffer(data) ? data : Buffer.alloc(0)));
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      this.#connections.delete(connection);
      for (const end of connection.waiting.values()) end(UNDELIVERED_RESULT);
      this.#journal.emitChange({ kind: 'connection' });
    });
    const hello = {
      type: 'hello',
      num_connections: this.#connections.size,
      debug_info: { host: 'simulated', approximate_connection_time: 18_060 },
      connection_info: { app_id: this.#appId },
    };
    socket.send(JSON.stringify(hello));
    this.#journal.emitChange({ kind: 'connection' });
  }

  #read(connection: Connection, data: Buffer): void {
    const message = parseJsonBody(data);
    if (message === undefined) connection.socket.close(1008);
    const { envelope_id: envelopeId, payload } = objectOrEmpty(message);
    const end = connection.waiting.get(stringOrUndefined(envelopeId) ?? '');
    end?.({
      acked: true,
      trouble: undefined,
      status: undefined,
      body: nonEmptyBody(payload),
      noRetry: false,
    });
  }

  /** Uses the machine's time: the client detects missing pings with its own timers. */
  #pingLater(): () => void {
    return machineClock.runAfter(PING_EVERY_MS, () => {
      for (const { socket } of this.#connections) socket.ping('Ping from Slack');
      this.#stopPings = this.#pingLater();
    });
  }
}

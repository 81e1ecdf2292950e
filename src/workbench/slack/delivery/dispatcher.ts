/** Sends to the app over HTTP or Socket Mode, and waits 3 s for the acknowledgement. */
import { SECOND } from '../../../clock.ts';
import type { RequestForgery } from '../simulated-slack.ts';
import type { SlackSimulatorContext } from '../simulator-context.ts';
import { type DeliveryResult, type OutgoingAppRequest, SentAppRequestLog } from './sent-request.ts';
import type { SignedRequestSender } from './signed-requests.ts';
import type { SocketHub } from './socket-hub.ts';

const ACK_WITHIN_MS = 3 * SECOND;

export class AppRequestDispatcher {
  readonly sentLog = new SentAppRequestLog();
  readonly #site: SlackSimulatorContext;
  readonly #sockets: SocketHub;
  readonly #sender: SignedRequestSender;
  #url: string | undefined;
  #forgery: RequestForgery | undefined;

  constructor(site: SlackSimulatorContext, sockets: SocketHub, sender: SignedRequestSender) {
    this.#site = site;
    this.#sockets = sockets;
    this.#sender = sender;
  }

  setHttpUrl(url: string | undefined): void {
    this.#url = url;
  }

  setForgery(forgery: RequestForgery | undefined): void {
    this.#forgery = forgery;
  }

  async send(outgoing: OutgoingAppRequest): Promise<DeliveryResult> {
    const { clock, peopleClock, journal } = this.#site;
    const url = this.#url;
    const record = this.sentLog.startEntry(url === undefined ? 'socket' : 'http', outgoing, clock.now());
    const giveUp = new AbortController();
    const end = journal.trackRequest();
    const callOff = peopleClock.runAfter(ACK_WITHIN_MS, () => giveUp.abort());
    try {
      const delivered = await (url === undefined
        ? this.#sockets.send(outgoing, giveUp.signal)
        : this.#sender.send(url, outgoing, this.#forgery, giveUp.signal));
      record(delivered, clock.now());
      return delivered;
    } finally {
      callOff();
      end();
    }
  }
}

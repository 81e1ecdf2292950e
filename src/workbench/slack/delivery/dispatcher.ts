/** Sends to the app in whichever mode it is attached, and waits 3 s for the acknowledgement. */
import { SECOND } from '../../../clock.ts';
import type { Forgery } from '../simulated-slack.ts';
import type { Site } from '../site.ts';
import { type Delivered, type Outgoing, SentLog } from './sent-request.ts';
import type { RequestSender } from './signed-requests.ts';
import type { SocketHub } from './socket-hub.ts';

const ACK_WITHIN_MS = 3 * SECOND;

export class Dispatcher {
  readonly log = new SentLog();
  readonly #site: Site;
  readonly #sockets: SocketHub;
  readonly #sender: RequestSender;
  #url: string | undefined;
  #forgery: Forgery | undefined;

  constructor(site: Site, sockets: SocketHub, sender: RequestSender) {
    this.#site = site;
    this.#sockets = sockets;
    this.#sender = sender;
  }

  attach(url: string | undefined): void {
    this.#url = url;
  }

  forge(forgery: Forgery | undefined): void {
    this.#forgery = forgery;
  }

  async send(outgoing: Outgoing): Promise<Delivered> {
    const { clock, peopleClock, journal } = this.#site;
    const url = this.#url;
    const record = this.log.begin(url === undefined ? 'socket' : 'http', outgoing, clock.now());
    const giveUp = new AbortController();
    const end = journal.begin();
    const callOff = peopleClock.after(ACK_WITHIN_MS, () => giveUp.abort());
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

/** Ticks every minute of an injected clock, which may be moved by hand or run fast. */
import { type Clock, MINUTE } from '../clock.ts';
import type { Ticker } from './job-scheduler.ts';

export function clockTicker(clock: Pick<Clock, 'now' | 'runAfter'>): Ticker {
  return {
    everyMinute(ring) {
      let callOff = () => {};
      const wait = () => {
        callOff = clock.runAfter(MINUTE - (clock.now() % MINUTE), () => {
          wait();
          ring();
        });
      };
      wait();
      return () => callOff();
    },
  };
}

/** The live log of all events of the dialer, newest first; it can be paused and cleared. */
import type { DialerEventMap, PartnerDialer } from '../../src/index.ts';
import { byId, make } from './dom.ts';
import { describeEvent, EVENT_NAMES } from './event-words.ts';
import { formatClock } from './times.ts';
import { onLanguage, words } from './words/language.ts';

/** A page that stays open all day must not fill up with them. */
const KEPT = 200;

export function keepLog(dialer: PartnerDialer): void {
  const list = byId('log', HTMLElement);
  const pause = byId('log-pause', HTMLButtonElement);
  /** What came during a pause, newest last. */
  let waiting: HTMLElement[] | undefined;

  const update = () => {
    while (list.childElementCount > KEPT) list.lastElementChild?.remove();
    byId('log-empty', HTMLElement).hidden = list.childElementCount > 0;
    byId('log-count', HTMLElement).textContent = waiting?.length ? words().newEvents(waiting.length) : '';
  };

  const listen = (name: keyof DialerEventMap) =>
    dialer.addEventListener(name, (event) => {
      const row = drawEvent(name, describeEvent(name, event));
      if (waiting) waiting = [...waiting, row].slice(-KEPT);
      else list.prepend(row);
      update();
    });
  for (const name of EVENT_NAMES) listen(name);

  pause.addEventListener('click', () => {
    if (waiting) list.prepend(...waiting.toReversed());
    waiting = waiting ? undefined : [];
    pause.setAttribute('aria-pressed', String(waiting !== undefined));
    update();
  });
  byId('log-clear', HTMLButtonElement).addEventListener('click', () => {
    list.replaceChildren();
    waiting &&= [];
    update();
  });
  onLanguage(update);
  update();
}

function drawEvent(name: string, details: string): HTMLElement {
  return make(
    'li',
    { 'data-event': name },
    make('time', {}, formatClock(Date.now())),
    make('code', {}, name),
    make('span', {}, details),
  );
}

/** The log of all events of the dialer, newest first; a press on one shows its `detail`. */
import type { DialerEventMap, PartnerDialer } from '../../src/index.ts';
import { byId, make } from './dom.ts';
import { describeEvent, EVENT_NAMES } from './event-words.ts';
import { formatClock } from './times.ts';

/** A page that stays open all day must not fill up with them. */
const KEPT = 200;

export function keepLog(dialer: PartnerDialer): void {
  const list = byId('log', HTMLElement);
  const update = () => {
    while (list.childElementCount > KEPT) list.lastElementChild?.remove();
    byId('log-empty', HTMLElement).hidden = list.childElementCount > 0;
  };
  const listen = (name: keyof DialerEventMap) =>
    dialer.addEventListener(name, (event) => {
      list.prepend(drawEvent(name, describeEvent(name, event), event.detail));
      update();
    });
  for (const name of EVENT_NAMES) listen(name);
  byId('log-clear', HTMLButtonElement).addEventListener('click', () => {
    list.replaceChildren();
    update();
  });
}

function drawEvent(name: string, brief: string, detail: unknown): HTMLElement {
  const summary = make(
    'summary',
    {},
    make('time', {}, formatClock(Date.now())),
    make('code', {}, name),
    make('span', {}, brief),
  );
  const text = JSON.stringify(detail, readable, 2);
  return make('li', { 'data-event': name }, make('details', {}, summary, make('pre', {}, text)));
}

/** What JSON would leave out. */
function readable(_key: string, value: unknown): unknown {
  if (value instanceof Error) return { ...value, name: value.name, message: value.message };
  return typeof value === 'function' ? 'function' : value;
}

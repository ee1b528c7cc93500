/** Enter, Space and a digit on whatever can have the focus, in every view: what a click there does, or nothing. */
import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import {
  fieldOf,
  findPart,
  nextTurn,
  passTime,
  reaches,
  textOf,
  type DialerPage,
} from '../support/dialer.ts';
import { HESITATION_MS } from '../support/pointer.ts';
import { ALL_VIEWS, nameOf, openView, told } from '../support/views.ts';

const FOCUSABLE = 'button, input, select, [tabindex]';
const DIGIT = '7';
const BESIDE_A_BUBBLE = ['the keypad', 'a call', 'a call in'];

describe('a key', () => {
  let page: DialerPage;
  let clicked: Element | undefined;

  /** Notes what the browser itself presses, and keeps it from everybody: the view stays as it is. */
  const note = (event: Event) => {
    if (event.composedPath()[0] !== page.dialer) clicked = buttonAt(event);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const open = async (view: string, floating: string) => {
    page = await openView(view, floating);
    page.dialer.addEventListener('click', note, { capture: true });
  };
  const focusable = () => {
    const all = [...(page.dialer.shadowRoot?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])];
    // One key is like the other, one entry of a list like the next.
    const isFirst = ({ className }: HTMLElement, index: number) =>
      !/^(?:key|entry)$/.test(className) || all.findIndex((each) => each.className === className) === index;
    return all.filter(isFirst);
  };
  const field = () =>
    findPart(page.dialer, 'number') instanceof HTMLInputElement ? fieldOf(page.dialer).value : '';
  const seen = () =>
    JSON.stringify([textOf(page.dialer).replaceAll(/\d\d:\d\d|in \d+ s/g, ''), field(), told()]);
  const press = async (target: HTMLElement, key: string) => {
    // Else it would be the second press of a double press.
    await passTime(HESITATION_MS);
    clicked = undefined;
    target.focus();
    await sendKeys({ press: key });
    await nextTurn();
    await page.dialer.updateComplete;
  };

  /** @returns what the key did that a click does not */
  const enterOrSpace = async (target: HTMLElement, key: string): Promise<string[]> => {
    const before = seen();
    await press(target, key);
    const isButton = target instanceof HTMLButtonElement;
    // In a text field Enter is the one button of the form.
    const isSubmit =
      key === 'Enter' && target.matches('[part~=number]') && clicked?.matches('[part=call-button]');
    const isRight = isButton ? clicked === target : clicked === undefined || isSubmit || clicked === target;
    const isChanged = seen() !== before && !target.matches('[part~=number]');
    const pressed = clicked instanceof HTMLElement ? nameOf(clicked) : 'nothing';
    return isRight && !isChanged ? [] : [`${key} on ${target.className}: ${pressed}, ${seen()}`];
  };
  const digit = async (target: HTMLElement): Promise<string[]> => {
    const [typed, orders, isClosed] = [field(), told().length, findPart(page.dialer, 'card') === null];
    const isPad = findPart(page.dialer, 'key') !== null;
    const before = seen();
    await press(target, DIGIT);
    const tone = told().slice(orders).join();
    const isTyped = !isClosed && field() === typed + DIGIT && tone === '';
    const isSent = !isClosed && tone === `sendDTMF ${DIGIT}` && field() === '';
    const isLeft = target.matches('select, input:not([part~=number])') || isClosed;
    const isRight = seen() === before || (!isLeft && (isTyped || isSent));
    return isRight && (isLeft || !isPad || seen() !== before)
      ? []
      : [`${DIGIT} on ${target.className}: ${before}, then ${seen()}`];
  };

  for (const floating of ['false', 'bottom-right']) {
    for (const view of floating === 'false' ? ALL_VIEWS : BESIDE_A_BUBBLE) {
      it(`does in ${view}${floating === 'false' ? '' : ', beside a bubble,'} what a click does there`, async function each() {
        this.timeout(30_000);
        const wrong: string[] = [];
        await open(view, floating);
        const count = focusable().length;
        for (let index = 0; index < count; index += 1) {
          const target = focusable()[index];
          if (!target || target.matches('.card')) continue;
          const before = seen();
          // Space opens a list, which would take the other keys.
          const keys = target instanceof HTMLSelectElement ? ['Enter'] : [' ', 'Enter'];
          for (const key of keys) wrong.push(...(await enterOrSpace(target, key)));
          wrong.push(...(await digit(target)));
          if (seen() === before) continue;
          await page.close();
          await open(view, floating);
        }
        expect(wrong).to.deep.equal([]);
        expect(count, 'with the focus').to.be.greaterThan(0);
      });
    }
  }

  it('on the card itself calls or answers', async () => {
    page = await openView('the keypad with a number');
    await press(findPart(page.dialer, 'card') as HTMLElement, 'Enter');
    await reaches(page.dialer, 'dialing');
    await page.close();
    page = await openView('a call in');
    await press(findPart(page.dialer, 'card') as HTMLElement, 'Enter');
    await reaches(page.dialer, 'in-call');
  });
});

function buttonAt(event: Event): Element | undefined {
  return event
    .composedPath()
    .find((each): each is Element => each instanceof HTMLButtonElement || each instanceof HTMLInputElement);
}

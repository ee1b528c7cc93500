/** While there is no connection: what an agent sees and hears of the attempts that the dialer makes by itself. */
import { expect } from '@open-wc/testing';
import type { PartnerDialer } from '../../src/index.ts';
import { BROKE, json, memberWith, session } from '../support/fake-broker.ts';
import {
  announcementOf,
  button,
  openDialer,
  openReady,
  passTime,
  press,
  reaches,
  textOf,
  until,
  type DialerPage,
} from '../support/dialer.ts';

/** The first attempt comes after 3 s, the second after 6, give or take a fifth. */
const FIRST_MS = 4000;
const SLOW_MS = 800;

const busy = () => json({}, 503);
const slowly = async () => {
  await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
  return busy();
};

describe('a broker that is away', () => {
  let page: DialerPage;
  const asked = () => page.broker.count('POST session');

  beforeEach(async () => {
    page = await openDialer({}, { 'POST session': busy });
    await reaches(page.dialer, 'failed');
  });

  it('is asked again without a change of what is seen, heard or focused', async () => {
    const { dialer, broker } = page;
    button(dialer, 'Try again').focus();
    const before = sightOf(dialer);
    const heard = listenTo(dialer);
    broker.on('POST session', slowly);
    await until(() => asked() === 2, 'the attempt');
    await passTime(SLOW_MS / 2);
    await dialer.updateComplete;
    expect(sightOf(dialer), 'during it').to.deep.equal(before);
    expect(dialer.state.status).to.equal('failed');
    await passTime(SLOW_MS);
    await dialer.updateComplete;
    expect(sightOf(dialer), 'after it').to.deep.equal(before);
    expect(heard()).to.deep.equal([]);
  });

  it('is asked in sight when the agent presses', async () => {
    const { dialer, broker } = page;
    broker.on('POST session', slowly);
    await press(dialer, 'Try again');
    await reaches(dialer, 'connecting');
    expect(textOf(dialer)).to.include('Connecting…');
    await reaches(dialer, 'failed');
  });

  it('and is back connects by itself', async () => {
    page.broker.on('POST session', () => session());
    await passTime(FIRST_MS);
    await reaches(page.dialer, 'ready');
  });

  it('and is back with a guide goes on to look whether the agent can call', async () => {
    const { dialer, broker } = page;
    for (const [what, answer] of Object.entries(memberWith(BROKE))) broker.on(what, answer);
    await reaches(dialer, 'blocked');
    await until(() => broker.count('GET status') > 0, 'a look');
    broker.on('GET status', () => json({ blockers: [] }));
    await reaches(dialer, 'ready');
  });

  it('and gives no token any more says why, and is asked on', async () => {
    const { dialer, broker } = page;
    broker.on('POST session', () => json({}, 402));
    await reaches(dialer, 'blocked');
    broker.on('POST session', () => session());
    await reaches(dialer, 'ready');
  });

  it('gets the latest headers of a page that signs in during an attempt', async () => {
    const { dialer, broker } = page;
    broker.on('POST session', () => new Promise(() => undefined));
    await until(() => asked() === 2, 'the attempt');
    broker.on('POST session', () => session());
    dialer.brokerHeaders = { Authorization: 'Bearer later' };
    await reaches(dialer, 'ready');
    expect(broker.asked.at(-1)?.headers.get('Authorization')).to.equal('Bearer later');
  });
});

describe('two dialers of one page', () => {
  let page: DialerPage;
  let second: PartnerDialer;
  let answers: (() => Response)[];

  /** @param answer to the first dialer, which the broker answers later than the other one */
  async function openBoth(answer: () => Response): Promise<void> {
    answers = [answer];
    const respond = async () => {
      const late = answers.shift();
      if (late) await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
      return late?.() ?? session();
    };
    page = await openDialer({}, { 'POST session': respond });
    second = page.dialer.cloneNode() as PartnerDialer;
    document.body.append(second);
  }

  afterEach(() => second.remove());

  it('have one phone: the first one works, although the broker answers it late', async () => {
    await openBoth(session);
    await reaches(second, 'failed');
    await reaches(page.dialer, 'ready');
    expect(textOf(second)).to.include('Another dialer on this page is already in use.');
    expect(page.broker.count('POST session')).to.equal(1);
  });

  it('have one phone: the second one works if the first one cannot sign in', async () => {
    await openBoth(() => json({}, 401));
    await reaches(page.dialer, 'failed');
    await reaches(second, 'ready');
  });
});

describe('of two dialers that wait for the first one of the page', () => {
  it('one connects when that goes, and the other shows its reason all the time', async () => {
    const { dialer } = await openReady();
    const waiting = [dialer.cloneNode(), dialer.cloneNode()].map((copy) => copy as PartnerDialer);
    for (const copy of waiting) {
      document.body.append(copy);
      await reaches(copy, 'failed');
    }
    const seen = waiting.map((copy) => {
      const statuses: string[] = [];
      copy.addEventListener('dialer-statechange', ({ detail }) => statuses.push(detail.state.status));
      return statuses;
    });
    dialer.remove();
    await until(() => waiting.some(({ state }) => state.canCall), 'a dialer that is ready');
    await passTime(1000);
    for (const [n, copy] of waiting.entries())
      if (!copy.state.canCall) expect([...new Set(seen[n])]).to.deep.equal(['failed']);
    for (const copy of waiting) copy.remove();
  });
});

/** Without the seconds until the next attempt. */
function sightOf(dialer: PartnerDialer) {
  return {
    text: textOf(dialer).replace(/in \d+ s/, ''),
    height: dialer.offsetHeight,
    focus: dialer.shadowRoot?.activeElement?.textContent.trim(),
    announcement: announcementOf(dialer)?.textContent,
  };
}

/** What live regions have said since. */
function listenTo({ shadowRoot }: PartnerDialer): () => string[] {
  const said: string[] = [];
  const observer = new MutationObserver((records) => {
    const regions = records.map(({ target }) =>
      (target instanceof Element ? target : target.parentElement)?.closest('[role=status], [role=alert]'),
    );
    said.push(...regions.filter((region) => region != null).map((region) => region.textContent));
  });
  if (shadowRoot) observer.observe(shadowRoot, { subtree: true, childList: true, characterData: true });
  return () => said;
}

/** A page that one scenario after the other is tried in, with what fills the journal: to open one costs more than a call. */
import type { Browser, Page, Request as PageRequest } from '@playwright/test';
import { Journal } from './journal.ts';
import { observerScript, type Microphone, type PageEvent } from './observer.ts';

export class BenchPage {
  readonly page: Page;
  #journal = new Journal();

  private constructor(page: Page) {
    this.page = page;
  }

  static async open(browser: Browser, microphone: Microphone): Promise<BenchPage> {
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    const page = await context.newPage();
    const benchPage = new BenchPage(page);
    await page.exposeBinding('note', (_source, event: PageEvent) => benchPage.#journal.addEvent(event));
    await page.addInitScript(observerScript(microphone));
    page.on('request', (request) => benchPage.#journal.add('http', describeRequest(request)));
    page.on('pageerror', (error) => benchPage.#journal.add('note', `page error ${error.message}`));
    page.on('websocket', (socket) => {
      const journal = benchPage.#journal;
      socket.on('framesent', ({ payload }) => addSip(journal, 'sent', String(payload)));
      socket.on('framereceived', ({ payload }) => addSip(journal, 'received', String(payload)));
    });
    return benchPage;
  }

  /** What happens from now on is in this one. */
  newJournal(): Journal {
    this.#journal = new Journal();
    return this.#journal;
  }

  /** Ends what the scenario has begun; each has an origin of its own, so that cookies are all it could leave behind. */
  async leave(): Promise<void> {
    await this.page.goto('about:blank');
    await this.page.unrouteAll();
    await this.page.context().clearCookies();
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}

/** `POST /vendor/v3.0/api/sdk/info`; of another host with its address. */
function describeRequest(request: PageRequest): string {
  const { hostname, pathname, href } = new URL(request.url());
  return `${request.method()} ${hostname === '127.0.0.1' ? pathname : href}`;
}

/** `INVITE sip:…` or `200 INVITE`; a keep-alive is nothing to note. */
function addSip(journal: Journal, kind: 'sent' | 'received', message: string): void {
  const request = /^([A-Z]+ \S+) SIP\/2\.0\r\n/.exec(message)?.[1];
  const status = /^SIP\/2\.0 (\d{3})/.exec(message)?.[1];
  const method = /^cseq:\s*\d+\s+(\w+)/im.exec(message)?.[1];
  const text = request ?? (status && `${status} ${method ?? ''}`);
  if (text !== undefined) journal.add(kind, text, message);
}

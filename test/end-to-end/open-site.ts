/** The demo and a browser for programs; tests have their fixtures. */
import { launchBrowser } from './browser.ts';
import { buildDemo } from './build.ts';
import { startDemo } from './demo.ts';
import { Site } from './site.ts';

export interface OpenSite {
  readonly site: Site;
  close(): Promise<void>;
}

export async function openSite(): Promise<OpenSite> {
  await buildDemo();
  const [demo, browser] = await Promise.all([startDemo(), launchBrowser()]);
  const close = async () => {
    await browser.close();
    await demo.close();
  };
  return { site: new Site(demo.origin, browser), close };
}

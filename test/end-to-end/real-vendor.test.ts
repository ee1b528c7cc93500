/** The demo with a vendor of its own: what `VENDOR_BASE_URL` and `VENDOR_API_KEY` change for the page and its agent. */
import { createServer, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import type { Page } from '@playwright/test';
import { createSandbox, SANDBOX_API_KEY, type Sandbox } from '../../demo/sandbox/sandbox.ts';
import { startServer } from '../../demo/companion/test/free-port.ts';
import { DEFAULT_SDK_URL } from '../../src/element/attributes.ts';
import { runProgram } from '../../demo/companion/test/process.ts';
import { startDemo, type RunningDemo } from './demo.ts';
import { expect, test } from './fixtures.ts';
import { Site, type AgentPage } from './site.ts';

const DOCTOR = fileURLToPath(new URL('../../demo/tools/doctor/doctor.ts', import.meta.url));

/** Of the sandbox's kind, but on an address of its own, as a vendor is. */
let vendor: Sandbox;
let server: Server;
let vendorOrigin: string;
let vendorEnv: Readonly<Record<string, string>>;
let demo: RunningDemo;
let site: Site;
let agent: AgentPage;

test.beforeAll(async ({ browser }) => {
  vendor = createSandbox();
  server = createServer(getRequestListener((request, env) => vendor.fetch(request, env)));
  vendor.attach(server);
  vendorOrigin = await startServer(server);
  vendorEnv = {
    VENDOR_BASE_URL: `${vendorOrigin}/vendor/v3.0/`,
    VENDOR_API_KEY: SANDBOX_API_KEY,
    SESSION_SECRET: 'only-for-this-test-and-long-enough',
    DEMO_LOGIN: 'on',
  };
  demo = await startDemo(vendorEnv);
  site = new Site(demo.origin, browser);
});

test.afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await vendor.close();
  // A start that failed half-way leaves nothing of these to close.
  await (agent as AgentPage | undefined)?.close();
  await (site as Site | undefined)?.close();
  await (demo as RunningDemo | undefined)?.close();
});

/** The vendor's CDN is out of reach of a test; the stand-in answers in its place, as readable from any page. */
async function playCdn(page: Page): Promise<void> {
  const body = await (await fetch(`${vendorOrigin}/vendor/vbot-sdk.js`)).text();
  await page.route(DEFAULT_SDK_URL, (route) => route.fulfill({ contentType: 'text/javascript', body }));
}

/** The directives of `npm run doctor`, in a policy that allows nothing else but the page's own files. */
async function askDoctor(): Promise<string> {
  const options = ['--origin', site.origin, '--sdk', DEFAULT_SDK_URL, '--json'];
  const { out } = await runProgram(DOCTOR, options, vendorEnv);
  const { contentSecurityPolicy } = JSON.parse(out) as { contentSecurityPolicy: string[] };
  // As the doctor says: narrowed to the socket of the first sign-in, which is not TLS here.
  const directives = contentSecurityPolicy.join(' ').replace('wss:', vendorOrigin.replace('http', 'ws'));
  const trustedTypes = "require-trusted-types-for 'script'; trusted-types partner-dialer lit-html;";
  return `default-src 'self'; ${directives} ${trustedTypes}`;
}

// Each goes on in the page of the one before.
test.describe.configure({ mode: 'serial' });
test.describe('with a vendor configured', () => {
  test('an agent signs in to that vendor with the script of the CDN, and is ready', async () => {
    agent = await site.open('/crm/sunrise.svg');
    await playCdn(agent.page);
    await agent.page.goto(site.origin);
    await expect(agent.text('Ready')).toBeVisible();
    expect(agent.requested.includes(DEFAULT_SDK_URL)).toBe(true);
    expect(agent.requested.includes(`${vendorOrigin}/vendor/v3.0/api/sdk/info`)).toBe(true);
    expect(vendor.world.members.has('agent001')).toBe(true);
  });

  test('the element is pointed at that vendor and at nothing of the sandbox', async () => {
    const dialer = agent.page.locator('partner-dialer');
    await expect(dialer).not.toHaveAttribute('sdk-url');
    await expect(dialer).toHaveAttribute('sdk-base-url', `${vendorOrigin}/vendor/v3.0`);
    const sandboxes = agent.requested
      .filter((url) => url.startsWith(site.origin))
      .map((url) => new URL(url).pathname);
    expect(sandboxes.filter((path) => /^\/(?:vendor|sandbox)(?:\/|$)/.test(path))).toEqual([]);
  });

  test('the page has no sandbox controls, says that calls are real, and the server has no sandbox', async () => {
    const { page } = agent;
    await expect(page.locator('#rehearsal')).toBeHidden();
    await expect(page.getByRole('link', { name: 'Manual' })).toBeHidden();
    await expect(page.getByText('This is the real vendor')).toBeVisible();
    for (const path of ['/sandbox', '/vendor/v3.0/api/hotline/getAll', '/vendor/vbot-sdk.js']) {
      expect((await fetch(`${site.origin}${path}`)).status, path).toBe(404);
    }
  });

  test('a page with the policy that the doctor prints signs in, Trusted Types included', async () => {
    const policy = await askDoctor();
    const page = await site.open('/crm/sunrise.svg');
    await playCdn(page.page);
    // To the browser a page that is filled in by hand comes from nowhere near, and the vendor of this test is near.
    await page.page.context().grantPermissions(['local-network-access']);
    await page.page.route(`${site.origin}/`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({
        response,
        headers: { ...response.headers(), 'Content-Security-Policy': policy },
      });
    });
    await page.page.goto(site.origin);
    await expect(page.text('Ready')).toBeVisible();
    const refused = page.consoleOutput.filter((line) => /Content Security Policy/.test(line));
    // The stand-in's sounds come from itself, the vendor's from the CDN.
    expect(refused.filter((line) => !line.includes('data:audio/'))).toEqual([]);
    await page.close();
  });

  test('the key is nowhere in the page', async () => {
    const served = await (await fetch(site.origin)).text();
    expect(served.includes(SANDBOX_API_KEY)).toBe(false);
    expect((await agent.page.content()).includes(SANDBOX_API_KEY)).toBe(false);
  });
});

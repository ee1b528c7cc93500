/** The companion as a process of its own in front of the sandbox, with the demo's sign-in and limits that no test reaches. */
import { start, type Running } from '../../demo/companion/test/process.ts';
import type { Vendor } from '../../demo/companion/vbot/client.ts';
import type { Ending } from '../../demo/companion/test/vendor.ts';

export function startCompanionProcess(
  t: Ending,
  { baseUrl, apiKey }: Vendor,
  databaseUrl: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Running> {
  return start(t, {
    PORT: '0',
    DATABASE_URL: databaseUrl,
    VENDOR_BASE_URL: baseUrl,
    VENDOR_API_KEY: apiKey,
    SESSION_SECRET: 's'.repeat(32),
    DEMO_LOGIN: 'on',
    LOG_LEVEL: 'silent',
    TOP_UP_DAILY_LIMIT: '10000000',
    RATE_LIMIT_PER_ADDRESS: '1000000',
    ...more,
  });
}

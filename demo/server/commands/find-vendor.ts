/** The configured vendor, or whatever stands in for it. */
import { ConfigurationError, type Configuration } from '../environment.ts';
import type { Vendor } from '../vendor/client.ts';

/** A vendor, and what has to end with its use. */
export interface FoundVendor extends Vendor {
  close(): Promise<void>;
}

/** Finds one where none is configured, e.g. a sandbox; the folder that was copied alone has nothing of the kind. */
export type FindVendor = (configuration: Configuration) => Promise<FoundVendor>;

/**
 * @param check is done before anything is started
 * @throws {ConfigurationError} where there is no vendor
 */
export async function findOrRequire(
  configuration: Configuration,
  find: FindVendor | undefined,
  check?: (configuration: Configuration) => Promise<void>,
): Promise<FoundVendor> {
  const { vendor } = configuration;
  if (vendor) {
    await check?.(configuration);
    return { ...vendor, close: async () => undefined };
  }
  if (!find) {
    const missing = ['VENDOR_BASE_URL', 'VENDOR_API_KEY'].map((name) => `  ${name} is not set`);
    throw new ConfigurationError(`The environment is not right:\n${missing.join('\n')}`);
  }
  await check?.(configuration);
  return find(configuration);
}

/** The configured vendor, or whatever stands in for it. */
import { ConfigurationError, type Configuration } from '../environment.ts';
import type { Vendor } from '../vendor/client.ts';

/** A vendor, and what has to end with its use. */
export interface FoundVendor extends Vendor {
  close(): Promise<void>;
}

/** Finds one where none is configured, e.g. a sandbox; the folder that was copied alone has nothing of the kind. */
export type FindVendor = (configuration: Configuration) => Promise<FoundVendor>;

/** @throws {ConfigurationError} where there is none */
export async function findOrRequire(
  configuration: Configuration,
  find: FindVendor | undefined,
): Promise<FoundVendor> {
  const { vendor } = configuration;
  if (vendor) return { ...vendor, close: async () => undefined };
  if (find) return find(configuration);
  const missing = ['VENDOR_BASE_URL', 'VENDOR_API_KEY'].map((name) => `  ${name} is not set`);
  throw new ConfigurationError(`The environment is not right:\n${missing.join('\n')}`);
}

/** The companion alone in a process, so that its CPU time is its own. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { createApp } from '../../demo/companion/app.ts';
import { readConfig } from '../../demo/companion/config.ts';

const config = readConfig(process.env);
if (!config.vendor) throw new Error('The bench names the vendor.');
const companion = createApp(config, config.vendor);
const server = createServer(getRequestListener((request, env) => companion.fetch(request, env)));

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMicroseconds: user + system });
});
// However the bench ends, nothing of it stays behind.
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));

/**
 * WebKitGTK under WebDriver: the few requests of the W3C protocol that a test of views needs. Debian's build has no WebRTC,
 * and no client library speaks to its driver without bringing one for every other browser.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '../../end-to-end/eventually.ts';
import { findPrograms } from './programs.ts';

const REQUEST_MS = 30_000;

export class WebkitSession {
  readonly #driver: ChildProcess;
  readonly #address: string;
  readonly #path: string;

  private constructor(driver: ChildProcess, address: string, path: string) {
    this.#driver = driver;
    this.#address = address;
    this.#path = path;
  }

  /** @param port free, on the loopback interface */
  static async open(port: number): Promise<WebkitSession> {
    const [webDriver = '', binary = ''] = findPrograms('webkit2gtk-driver');
    const [display = ''] = findPrograms('xvfb');
    const driver = spawn(display, ['-a', webDriver, `--port=${port}`], {
      stdio: 'ignore',
      // A group of its own: the display server and the browser end with it.
      detached: true,
      env: {
        ...process.env,
        // Its sandbox does not run as root; drawing without a graphics processor is slow enough.
        WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
        WEBKIT_DISABLE_COMPOSITING_MODE: '1',
        LIBGL_ALWAYS_SOFTWARE: '1',
      },
    });
    const address = `http://127.0.0.1:${port}`;
    await eventually(
      async () => (await fetch(`${address}/status`).catch(() => undefined))?.ok,
      'the driver of WebKitGTK',
    );
    const capabilities = {
      alwaysMatch: { 'webkitgtk:browserOptions': { binary, args: ['--automation'] } },
    };
    const { sessionId } = (await send(address, 'POST', '/session', { capabilities })) as {
      sessionId: string;
    };
    return new WebkitSession(driver, address, `/session/${sessionId}`);
  }

  async goTo(url: string): Promise<void> {
    await send(this.#address, 'POST', `${this.#path}/url`, { url });
  }

  /** @param script the body of a function; what it returns comes back */
  async run<T>(script: string): Promise<T> {
    return (await send(this.#address, 'POST', `${this.#path}/execute/sync`, { script, args: [] })) as T;
  }

  async close(): Promise<void> {
    await send(this.#address, 'DELETE', this.#path).catch(() => undefined);
    const { pid } = this.#driver;
    if (pid === undefined) return;
    const exited = once(this.#driver, 'exit');
    process.kill(-pid, 'SIGKILL');
    await exited;
  }
}

async function send(address: string, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(address + path, {
    method,
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(REQUEST_MS),
  });
  const { value } = (await response.json()) as { value: unknown };
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`);
  return value;
}

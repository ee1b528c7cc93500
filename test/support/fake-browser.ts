/** The browser's own answers about microphone and network, given by the test, and given back after it. */
// The dialers of a test are closed before.
import './dialer.ts';
import { Replacements } from './replacements.ts';

const browsers = new Set<FakeBrowser>();
afterEach(() => {
  for (const browser of browsers) browser.restore();
});

type Permission = PermissionState | 'untold';

export class FakeBrowser extends Replacements {
  readonly #permission = Object.assign(new EventTarget(), { state: 'granted' as PermissionState });
  #isUntold = false;
  #hasMicrophone = true;
  /** How often the microphone was opened. */
  opened = 0;
  /** What the browser was asked for, in order. */
  readonly asked: ('permission' | 'devices')[] = [];

  constructor() {
    super();
    browsers.add(this);
    const { mediaDevices, permissions } = navigator;
    this.replace(permissions, 'query', async () => {
      this.asked.push('permission');
      if (this.#isUntold) throw new TypeError('not a name this browser knows');
      return this.#permission;
    });
    this.replace(mediaDevices, 'enumerateDevices', async () => {
      this.asked.push('devices');
      return this.#hasMicrophone
        ? [{ kind: 'audioinput', deviceId: '', label: '' }]
        : [{ kind: 'audiooutput' }];
    });
    const open = mediaDevices.getUserMedia.bind(mediaDevices);
    this.replace(mediaDevices, 'getUserMedia', (constraints: MediaStreamConstraints) => {
      this.opened += 1;
      return open(constraints);
    });
  }

  permit(permission: Permission): void {
    this.#isUntold = permission === 'untold';
    if (permission !== 'untold') this.#permission.state = permission;
    this.#permission.dispatchEvent(new Event('change'));
  }

  /** Without the browser telling of it. */
  permitQuietly(permission: PermissionState): void {
    this.#permission.state = permission;
  }

  plug(hasMicrophone: boolean): void {
    this.#hasMicrophone = hasMicrophone;
    navigator.mediaDevices.dispatchEvent(new Event('devicechange'));
  }

  goOnline(isOnline: boolean): void {
    this.replace(navigator, 'onLine', isOnline);
    dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
  }

  override restore(): void {
    browsers.delete(this);
    super.restore();
  }
}

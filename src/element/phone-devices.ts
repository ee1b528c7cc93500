/** Brings the agent's devices to the phone: calls use them, and an incoming call rings on them. */
import type { ReactiveController, ReactiveElement } from 'lit';
import { Devices } from '../devices/devices.ts';
import { ringerIds, ringsItself } from '../devices/state.ts';
import type { Dialer } from '../dialer/dialer.ts';
import { isLive } from '../dialer/state/call.ts';
import type { DialerState } from '../dialer/state/state.ts';

export class PhoneDevices implements ReactiveController {
  readonly devices: Devices;
  readonly #dialer: Dialer;
  readonly #onChanged: () => void;
  #ringing: { readonly on: string; readonly end: AbortController } | undefined;

  /** @param onChanged other devices are used; perhaps the dialer rings instead of the SDK now, or the SDK again */
  constructor(element: ReactiveElement, dialer: Dialer, onChanged: () => void) {
    this.#dialer = dialer;
    this.#onChanged = onChanged;
    this.devices = new Devices({
      changed: () => element.requestUpdate(),
      devicesChanged: () => this.#devicesChanged(),
    });
    element.addController(this);
  }

  /** Does the dialer ring instead of the SDK? */
  get ringsItself(): boolean {
    return ringsItself(this.devices.state);
  }

  hostConnected(): void {
    this.devices.connected();
  }

  hostDisconnected(): void {
    this.devices.disconnected();
    this.#endRinging();
  }

  stateChanged({ call, line }: DialerState, previous: DialerState): void {
    // After `dialer-ready`, and before the SDK can report a call.
    if (line.is === 'up' && previous.line.is !== 'up') queueMicrotask(() => this.devices.begin());
    if (call.is === previous.call.is) return;
    // Later lists are compared with this one, to see what was unplugged during the call. In a call, the browser gives all names.
    if (isLive(call)) void this.devices.list();
    if (call.is === 'incoming') this.#ring();
    else this.#endRinging();
  }

  #devicesChanged(): void {
    const { devices } = this;
    this.#dialer.useDevices({
      microphone: devices.deviceId('microphone'),
      speaker: devices.deviceId('speaker'),
    });
    if (this.#ringing) this.#ring();
    this.#onChanged();
  }

  #ring(): void {
    const outputs = ringerIds(this.devices.state);
    const on = outputs.join('\n');
    if (!this.ringsItself || this.#ringing?.on === on) return;
    this.#endRinging();
    const end = new AbortController();
    this.#ringing = { on, end };
    this.devices.ring(outputs, end.signal);
  }

  #endRinging(): void {
    this.#ringing?.end.abort();
    this.#ringing = undefined;
  }
}

/** The audio devices of this browser: keeps their state, the agent's choice, and the test that is running. */
import * as z from 'zod/mini';
import { watchLevel } from '../page/microphone-level.ts';
import { watchMicrophone } from '../page/microphone.ts';
import { Stored } from '../page/stored.ts';
import { childOf, later } from '../wait.ts';
import { testHeadset } from './headset-test.ts';
import { listDevices } from './list.ts';
import { ring } from './playback.ts';
import {
  INITIAL_DEVICES,
  moveDevices,
  ringerIds,
  SYSTEM_CHOICE,
  usedId,
  type DeviceChoice,
  type DeviceKind,
  type DevicesEvent,
  type DevicesState,
} from './state.ts';

const deviceSchema = z.object({ id: z.string(), label: z.string(), isTwin: z.optional(z.boolean()) });

/** The agent's choice, in the storage of the browser. */
const remembered = new Stored<DeviceChoice>(
  'devices',
  z.object({
    microphone: deviceSchema,
    speaker: deviceSchema,
    ringers: z.array(deviceSchema).check(z.refine((ringers) => ringers.length > 0)),
  }),
);

const NOTICE_MS = 10_000;
const TEST_RING_MS = 3000;

interface DevicesListener {
  /** The state has changed. */
  changed(): void;
  /** Calls are to use the present devices. Called again whenever the list was read, because a device may have come back. */
  devicesChanged(): void;
}

export class Devices {
  readonly #listener: DevicesListener;
  #state = INITIAL_DEVICES;
  /** From insertion into the page to removal. */
  #inPage = new AbortController();
  /** `#inPage`, once the choice was read. */
  #begun: AbortSignal | undefined;
  /** While the panel is open: whatever it listens to or plays. */
  #panel: AbortController | undefined;
  #test: AbortController | undefined;
  #notice: AbortController | undefined;
  #listing = 0;
  /** Address of the page's own ringtone; absent: the page has none. */
  #ringtone: string | undefined;

  constructor(listener: DevicesListener) {
    this.#listener = listener;
  }

  get state(): DevicesState {
    return this.#state;
  }

  /** Is the panel open? One that was, when the element was removed, opens anew. */
  get isOpen(): boolean {
    return this.#panel?.signal.aborted === false;
  }

  /** Id of the device that is used; empty: the system's. */
  deviceId(kind: DeviceKind): string {
    return usedId(this.#state, kind, this.#state.choice[kind]);
  }

  connected(): void {
    this.#inPage = new AbortController();
  }

  /** Reads the agent's choice when it is first needed: to open the storage takes long, and the start does not need it. */
  begin(): void {
    const { signal } = this.#inPage;
    if (this.#begun === signal || signal.aborted) return;
    this.#begun = signal;
    void watchMicrophone(signal, () => void this.list());
    remembered.watch(signal, () => this.#useRemembered());
    this.#useRemembered();
    // Without a choice, there is no device to look for.
    if (remembered.read()) void this.list();
  }

  disconnected(): void {
    this.#inPage.abort();
    this.close();
    this.#apply({ type: 'notice-expired' });
  }

  /** Reads the list again. The listener may then try a device again that could not be opened. */
  async list(): Promise<void> {
    const { signal } = this.#inPage;
    const count = (this.#listing += 1);
    const list = await listDevices();
    if (signal.aborted || count !== this.#listing) return;
    const { choice, notice } = this.#state;
    this.#apply({ type: 'listed', list });
    // A device may have another id or name now.
    if (JSON.stringify(this.#state.choice) !== JSON.stringify(choice)) remembered.write(this.#state.choice);
    if (this.#state.notice !== notice) this.#expireNotice();
    this.#listener.devicesChanged();
  }

  choose(change: Partial<DeviceChoice>): void {
    this.endTest();
    // Nothing is applied here: `remembered` reports the change to all dialers of this page, this one included.
    const choice = { ...this.#state.choice, ...change };
    remembered.write(moveDevices(this.#state, { type: 'chosen', choice }).choice);
  }

  /** @param track the microphone of the present call; outside of calls, only a test opens one */
  open(track: () => MediaStreamTrack | undefined): void {
    this.begin();
    this.close();
    this.#panel = childOf(this.#inPage.signal);
    void this.list();
    if (track()) watchLevel(track, this.#panel.signal, (level) => this.#apply({ type: 'level', level }));
  }

  close(): void {
    this.endTest();
    if (!this.#panel) return;
    this.#panel.abort();
    this.#panel = undefined;
    this.#apply({ type: 'level', level: 0 });
  }

  async testHeadset(): Promise<void> {
    const signal = this.#beginTest();
    const options = {
      microphone: this.deviceId('microphone'),
      speaker: this.deviceId('speaker'),
      onStep: (test: DevicesState['test']) => this.#apply({ type: 'test', test }),
      onLevel: (level: number) => this.#apply({ type: 'level', level }),
    };
    await testHeadset(options, signal);
    // The browser shows the devices once the microphone was allowed.
    if (!signal.aborted && !this.#state.list) await this.list();
  }

  useRingtone(address: string | undefined): void {
    this.#ringtone = address;
  }

  /** Somebody calls. @param outputs ids of devices */
  ring(outputs: readonly string[], signal: AbortSignal): void {
    ring(outputs, this.#ringtone, signal);
  }

  testRing(on: 'speaker' | 'ringer'): void {
    const signal = this.#beginTest();
    this.ring(on === 'speaker' ? [this.deviceId('speaker')] : ringerIds(this.#state), signal);
    this.#apply({ type: 'test', test: { is: 'ringing', on } });
    later(TEST_RING_MS, signal, () => this.endTest());
  }

  endTest(): void {
    if (!this.#test) return;
    this.#test.abort();
    this.#test = undefined;
    this.#apply({ type: 'test', test: { is: 'none' } });
  }

  #useRemembered(): void {
    this.#apply({ type: 'chosen', choice: remembered.read() ?? SYSTEM_CHOICE });
    this.#listener.devicesChanged();
  }

  #beginTest(): AbortSignal {
    this.endTest();
    this.#test = childOf((this.#panel ?? this.#inPage).signal);
    return this.#test.signal;
  }

  #expireNotice(): void {
    this.#notice?.abort();
    this.#notice = childOf(this.#inPage.signal);
    later(NOTICE_MS, this.#notice.signal, () => this.#apply({ type: 'notice-expired' }));
  }

  #apply(event: DevicesEvent): void {
    this.#state = moveDevices(this.#state, event);
    this.#listener.changed();
  }
}

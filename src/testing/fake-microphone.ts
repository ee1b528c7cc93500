/** Replaces what the browser says of its microphone: in CI there is usually none. No microphone is opened. */

/** `missing`: the browser lists no microphone. */
export type FakeMicrophone = 'granted' | 'denied' | 'missing';

const DEVICE = { kind: 'audioinput', deviceId: 'fake', groupId: 'fake', label: 'Fake microphone' } as const;

/** One for each fake phone; the latest is used. */
const pretended: { readonly state: FakeMicrophone }[] = [];
let restoreBrowser: (() => void) | undefined;

/** @returns restores what the browser says */
export function pretendMicrophone(state: FakeMicrophone): () => void {
  const entry = { state };
  pretended.push(entry);
  restoreBrowser ??= replaceMicrophoneApis();
  return () => {
    pretended.splice(pretended.indexOf(entry), 1);
    if (pretended.length > 0) return;
    restoreBrowser?.();
    restoreBrowser = undefined;
  };
}

function replaceMicrophoneApis(): () => void {
  const { permissions, mediaDevices } = navigator as Partial<Navigator>;
  const restorers = [
    permissions &&
      replace(permissions, 'query', (original) => async (descriptor: PermissionDescriptor) => {
        const state = pretended.at(-1)?.state;
        const isOurs = state && (descriptor as { name: string }).name === 'microphone';
        if (!isOurs) return original.call(permissions, descriptor);
        return statusOf(state === 'denied' ? 'denied' : 'granted');
      }),
    mediaDevices &&
      replace(mediaDevices, 'enumerateDevices', (original) => async () => {
        const devices = await original.call(mediaDevices);
        const state = pretended.at(-1)?.state;
        if (!state) return devices;
        const others = devices.filter(({ kind }) => kind !== 'audioinput');
        const device = { ...DEVICE, toJSON: () => DEVICE } as MediaDeviceInfo;
        return state === 'missing' ? others : [device, ...others];
      }),
  ];
  return () => {
    for (const restore of restorers) restore?.();
  };
}

function statusOf(state: PermissionState): PermissionStatus {
  return Object.assign(new EventTarget(), { name: 'microphone', state, onchange: null }) as PermissionStatus;
}

function replace<T extends object, K extends keyof T>(
  target: T,
  name: K,
  make: (original: T[K]) => T[K],
): () => void {
  const own = Object.getOwnPropertyDescriptor(target, name);
  const replacement = make(target[name]);
  Object.defineProperty(target, name, { configurable: true, writable: true, value: replacement });
  return () => {
    // If somebody has replaced it since, theirs stays.
    if (target[name] !== replacement) return;
    if (own) Object.defineProperty(target, name, own);
    else Reflect.deleteProperty(target, name);
  };
}

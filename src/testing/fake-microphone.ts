/** What the browser tells of its microphone; nobody opens one. In CI there usually is none. */

/** `missing`: the browser knows of no device. */
export type FakeMicrophone = 'granted' | 'denied' | 'missing';

const DEVICE = { kind: 'audioinput', deviceId: 'fake', groupId: 'fake', label: 'Fake microphone' } as const;

/** Of the phones that are there; the latest counts. */
const pretended: { readonly state: FakeMicrophone }[] = [];
let takeBack: (() => void) | undefined;

/** Answers questions about microphones only. @returns how to end it */
export function pretendMicrophone(state: FakeMicrophone): () => void {
  const entry = { state };
  pretended.push(entry);
  takeBack ??= takeQuestions();
  return () => {
    pretended.splice(pretended.indexOf(entry), 1);
    if (pretended.length > 0) return;
    takeBack?.();
    takeBack = undefined;
  };
}

function takeQuestions(): () => void {
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
    // Somebody else's later replacement is not ours to undo.
    if (target[name] !== replacement) return;
    if (own) Object.defineProperty(target, name, own);
    else Reflect.deleteProperty(target, name);
  };
}

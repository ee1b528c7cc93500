/** The browser's list of audio devices. */
import { listMediaDevices } from '../page/microphone.ts';
import type { Device, DeviceList } from './state.ts';

/** Chromium lists these again under their own names. */
const ALIASES: readonly string[] = ['default', 'communications'];

/** Can a page choose where it is heard? Older Firefox and Safari cannot. */
export const canChooseOutput = (): boolean => 'setSinkId' in HTMLMediaElement.prototype;

/** `undefined`: the browser does not tell, for example until the microphone is allowed. */
export async function listDevices(): Promise<DeviceList | undefined> {
  const all = await listMediaDevices();
  const microphones = all?.filter(({ kind }) => kind === 'audioinput') ?? [];
  if (!all || (microphones.length > 0 && !microphones.some(isNamed))) return undefined;
  return { microphone: ofKind(all, 'audioinput'), speaker: ofKind(all, 'audiooutput') };
}

function ofKind(all: readonly MediaDeviceInfo[], kind: MediaDeviceKind): DeviceList['microphone'] {
  const named = all.filter((device) => device.kind === kind && isNamed(device)).map(toDevice);
  const real = named.filter(({ id }) => !ALIASES.includes(id)).map(markTwin);
  const alias = named.find(({ id }) => id === 'default');
  // "Default - Headset", in the browser's language.
  const preferredLabel = alias?.label.replace(/^.*? - /, '');
  const preferred = alias ? (real.find(({ label }) => label === preferredLabel) ?? alias) : real[0];
  return { all: real, preferred };
}

function markTwin(device: Device, _index: number, all: readonly Device[]): Device {
  const isTwin = all.some(({ id, label }) => label === device.label && id !== device.id);
  return isTwin ? { ...device, isTwin } : device;
}

function isNamed({ deviceId, label }: MediaDeviceInfo): boolean {
  return Boolean(deviceId) && Boolean(label);
}

/** Without the numbers that Chromium adds to the names of USB devices. */
function toDevice({ deviceId, label }: MediaDeviceInfo): Device {
  return { id: deviceId, label: label.replace(/ \([\da-f]{4}:[\da-f]{4}\)$/, '') };
}

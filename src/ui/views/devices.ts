/** The panel of the sound devices, in the place of the keypad; in a call a smaller one, in the place of the keys. */
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { SYSTEM_DEVICE, withRinger, type Device, type DeviceKind } from '../../devices/state.ts';
import { canChooseOutput } from '../../devices/list.ts';
import { isBusy } from '../../dialer/state/call.ts';
import { actionRow, button, closeButton, icon } from './controls.ts';
import { copyButton } from './support.ts';
import type { View } from '../view.ts';

/** In letters. The notice has room for two names of this length. */
const LONG_LABEL = 28;

/** Absent while a call is placed or rings, so that only the call's buttons are shown. */
export function devicesButton({
  state: { call },
  ui,
  words,
  actions,
}: View): TemplateResult | typeof nothing {
  if (isBusy(call) && call.is !== 'active') return nothing;
  return button(icon('headset'), () => actions.toggle('devices'), {
    look: 'icon-button devices-button',
    name: words.devices.title,
    expanded: ui.panel === 'devices',
  });
}

export function devicesView(view: View): TemplateResult {
  const { devices, words, actions } = view;
  const { test, list } = devices;
  const { devices: text } = words;
  const isWaiting = test.is !== 'none' && test.is !== 'over' && test.is !== 'ringing';
  const close = closeButton(view, text.close, () => actions.toggle('devices'));
  const headset = button(text.testHeadset, () => void actions.devices.testHeadset(), {
    look: 'secondary',
    isWaiting,
  });
  return html`<div class="devices" role="group" aria-label=${text.title}>
    <header>
      <h2>${words.quality.title}</h2>
      ${copyButton(view)}
    </header>
    <div class="lists">
      ${list ? nothing : html`<p class="muted">${text.hidden}</p>`} ${deviceRow(view, 'microphone')}
      ${meter(view)}
      ${canChooseOutput() ? html`${deviceRow(view, 'speaker', testButton(view, 'speaker'))} ${ringers(view)}` : nothing}
    </div>
    <p class="step" role="status">${stepText(view)}</p>
    ${actionRow(headset, close)}
  </div>`;
}

/** In a call nothing is tested, and nothing rings. */
export function callDevicesView(view: View): TemplateResult {
  return html`<div class="devices" role="group" aria-label=${view.words.devices.title}>
    ${deviceRow(view, 'microphone')} ${meter(view)}
    ${canChooseOutput() ? deviceRow(view, 'speaker') : nothing}
  </div>`;
}

/** What has just happened to a device, for an agent in a call. */
export function deviceNotice({ devices: { notice }, words }: View): string | undefined {
  if (!notice) return undefined;
  const { is, label, now } = notice;
  return words.devices[is](shortened(label), now && shortened(now));
}

function shortened(label: string): string {
  return label.length > LONG_LABEL ? `${label.slice(0, LONG_LABEL)}…` : label;
}

function deviceRow(view: View, kind: DeviceKind, more: unknown = nothing): TemplateResult {
  const { devices, words, actions } = view;
  const chosen = devices.choice[kind];
  const options = listOptions(view, kind, [chosen]);
  const choose = ({ target }: Event) => {
    const { value } = target as HTMLSelectElement;
    const device = options.find(({ id }) => id === value);
    if (device) actions.devices.choose({ [kind]: device });
  };
  return html`<div class="device-row">
    <label
      ><span>${words.devices[kind]}</span>
      <select @change=${choose}>
        ${options.map(
          (device) =>
            html`<option value=${device.id} .selected=${live(device.id === chosen.id)}>
              ${deviceName(view, kind, device)}
            </option>`,
        )}
      </select></label
    >
    ${more}
  </div>`;
}

function ringers(view: View): TemplateResult {
  const { devices, words, actions } = view;
  const { ringers: chosen } = devices.choice;
  const toggle = (device: Device, { target }: Event) => {
    const { checked } = target as HTMLInputElement;
    actions.devices.choose({ ringers: withRinger(chosen, device, checked) });
  };
  return html`<div class="ringers" role="group" aria-label=${words.devices.ringer}>
    <div class="device-row"><span>${words.devices.ringer}</span>${testButton(view, 'ringer')}</div>
    ${listOptions(view, 'speaker', chosen).map(
      (device) =>
        html`<label class="check"
          ><input
            type="checkbox"
            .checked=${live(chosen.some(({ id }) => id === device.id))}
            @change=${(event: Event) => toggle(device, event)}
          /><span>${deviceName(view, 'speaker', device)}</span></label
        >`,
    )}
  </div>`;
}

/** The system's choice, what there is, and what was chosen but is not there now. */
function listOptions(
  { devices: { list } }: View,
  kind: DeviceKind,
  chosen: readonly Device[],
): readonly Device[] {
  const all = [SYSTEM_DEVICE, ...(list?.[kind].all ?? [])];
  return [...all, ...chosen.filter(({ id }) => all.every((device) => device.id !== id))];
}

function deviceName({ devices: { list }, words }: View, kind: DeviceKind, { id, label }: Device): string {
  if (id === '') return words.devices.system(list?.[kind].preferred?.label);
  const isMissing = list && list[kind].all.every((device) => device.id !== id);
  return isMissing ? words.devices.missing(label) : label;
}

function testButton({ devices: { test }, words, actions }: View, on: 'speaker' | 'ringer'): TemplateResult {
  const pressed = test.is === 'ringing' && test.on === on;
  const press = () => (pressed ? actions.devices.endTest() : actions.devices.testRing(on));
  const name = `${words.devices.test}: ${words.devices[on]}`;
  return button(words.devices.test, press, { look: 'test', name, pressed });
}

/** An SVG: a policy of the page may forbid styles in attributes. */
function meter({ devices: { level }, words }: View): TemplateResult {
  const percent = Math.round(level * 100);
  return html`<div
    class="meter"
    role="meter"
    aria-label=${words.devices.level}
    aria-valuemin="0"
    aria-valuemax="100"
    aria-valuenow=${percent}
    aria-valuetext=${`${percent} %`}
  >
    <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      <rect width=${percent} height="1" />
    </svg>
  </div>`;
}

function stepText({ devices: { test }, words }: View): string {
  const { devices: text, quality, guide } = words;
  if (test.is === 'none' || test.is === 'ringing') return '';
  if (test.is !== 'over') return text.steps[test.is];
  if (test.result === 'heard') return text.heard;
  return test.result === 'silent' ? quality.warning['microphone-silent'] : guide[test.result];
}

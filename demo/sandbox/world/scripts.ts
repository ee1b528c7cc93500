/** The scripts of automatic calls; the sandbox has no way to write new ones. */

export const SCRIPTS = [
  {
    id: 1,
    name: 'Alert',
    scriptType: 'CONFIRM',
    description: 'Tells an agent that something needs them.',
    content: 'Customer {customer} asks to be called back.',
    code: 'SCRIPT_ALERT',
    createAt: Date.UTC(2026, 7, 13),
    status: 1,
    isCustomField: true,
    campaignRunning: 0,
  },
  {
    id: 2,
    name: 'Nhắc lịch hẹn',
    scriptType: 'IVR',
    description: 'Reminds a customer of an appointment.',
    content: 'Press 1 to confirm.',
    code: 'SCRIPT_REMINDER',
    createAt: Date.UTC(2026, 7, 13),
    status: 1,
    isCustomField: false,
    campaignRunning: 0,
  },
] as const;

/** The English words of the guides: few enough to come with those, whatever the language. */
export type GuideWords = typeof guideEn;

export const guideEn = {
  retryIn: (seconds: number) => `Trying again in ${seconds} s`,
  checkAgain: 'Check again',
  checking: 'Checking…',
  asking: 'Asking…',
  askTopUp: 'Ask for a top-up',
  askHotline: 'Ask for a caller number',
  backToKeypad: 'Back to the keypad',
  balance: 'Balance',
  /** What came of asking for money in time: a line each, on the narrowest card. */
  inTime: {
    'help-requested': 'Top-up requested.',
    'ask-admin': 'Please tell your admin.',
    'help-failed': 'The request failed. Ask again',
    'top-up-limit': 'Today’s top-up limit is reached.',
    'top-up-off': 'Top-ups are switched off.',
    'top-up-later': 'Not possible now. Ask again',
    'top-up-refused': 'The top-up was refused.',
    'top-up-admin-short': 'The company is short of money.',
  },
  lowBalance: (money: string) => `Low call balance: ${money}`,
  copyDetails: 'Copy details',
  copied: 'Copied',
  code: 'Code',
  whoCanFix: 'Who can fix it',
  fixer: {
    agent: 'you',
    admin: 'your admin',
    vendor: 'the phone service',
    developer: 'the developers of this page',
  },
  guide: {
    'insufficient-funds': 'Your call balance is used up. An admin has to add money before you can call.',
    'no-hotline': 'You have no caller number yet. An admin has to assign one.',
    'member-expired': 'Your phone account has ended. An admin has to renew it.',
    'microphone-denied': 'The browser blocks the microphone. Allow it in the address bar, then check again.',
    'microphone-forbidden':
      'This page does not let the dialer use the microphone. Its permissions policy has to allow that.',
    'microphone-missing':
      'No working microphone was found. Connect a headset, or close the program that uses it, then check again.',
    'insecure-context':
      'Browsers give a microphone to secure pages only. This page has to be opened over HTTPS.',
    'unsupported-browser':
      'This browser cannot make calls. Please use a current Chrome, Edge, Firefox or Safari.',
    offline: 'You are offline. Check your network; the dialer connects again by itself.',
    other: 'Your account cannot place calls right now. Your admin can find out why.',
  },
  /** In an incoming call, where "Answer" is what is pressed next. */
  answering: {
    'microphone-denied': 'The browser blocks the microphone. Allow it in the address bar, then answer.',
    'microphone-missing': 'No working microphone was found. Connect a headset, then answer.',
  },
  elsewhere: {
    text: 'Your phone is open in another tab of this browser.',
    use: 'Use it here',
    moving: 'Moving it here…',
    idle: 'There is no call at the moment.',
    calling: 'You are placing a call in the other tab.',
    ringing: 'The other tab has an incoming call.',
    'in-call': 'You are in a call in the other tab.',
    since: (time: string) => `You are in a call in the other tab, since ${time}.`,
    later: 'You can move the phone here once the call is over.',
  },
  notice: {
    'still-blocked': 'Nothing has changed yet.',
    'help-requested': 'Your request is on its way. Check again in a moment.',
    'ask-admin': 'This page cannot ask for you. Please tell your admin.',
    'call-elsewhere': 'Not during a call.',
    'not-moved': 'The other tab did not let go. Please try again.',
    'check-failed': 'The check did not get through. Please try again.',
    'help-failed': 'Your request did not get through. Please try again.',
    'top-up-limit': 'Today’s top-up limit is reached. Ask again tomorrow, or tell your admin.',
    'top-up-off': 'Top-ups are switched off here. Please tell your admin.',
    'top-up-later': 'The top-up cannot be made right now. Try again in a few minutes.',
    'top-up-refused': 'The phone service refused the top-up. Please tell your admin.',
    'top-up-admin-short': 'The company account is short of money. Please tell your admin.',
  },
};

/** The few words that are shown before the rest of them is there. */
import type { Language } from './language.ts';

interface FirstWords {
  readonly dialer: string;
  readonly number: string;
  readonly idle: string;
  readonly connecting: string;
  readonly loadFailed: string;
  readonly retry: string;
  readonly openDialer: string;
  readonly closeDialer: string;
}

export const firstWords: Readonly<Record<Language, FirstWords>> = {
  en: {
    dialer: 'Dialer',
    number: 'Phone number',
    idle: 'Not connected',
    connecting: 'Connecting…',
    loadFailed: 'The phone software could not be loaded.',
    retry: 'Try again',
    openDialer: 'Open the dialer',
    closeDialer: 'Close the dialer',
  },
  vi: {
    dialer: 'Bàn gọi',
    number: 'Số điện thoại',
    idle: 'Chưa kết nối',
    connecting: 'Đang kết nối…',
    loadFailed: 'Không tải được phần mềm gọi điện.',
    retry: 'Thử lại',
    openDialer: 'Mở bàn gọi',
    closeDialer: 'Thu nhỏ bàn gọi',
  },
};

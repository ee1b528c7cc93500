/** The Vietnamese words of the keypad: all that is read until there is a call, or something is in the way. */
import { firstWords } from './first-words.ts';
import type { KeypadWords } from './keypad-en.ts';

const { vi: first } = firstWords;

export const keypadVi: KeypadWords = {
  language: 'vi',
  dialer: first.dialer,
  status: {
    idle: first.idle,
    connecting: first.connecting,
    reconnecting: 'Mất kết nối, đang nối lại…',
    ready: 'Sẵn sàng',
    blocked: 'Bạn chưa thể gọi ra',
    elsewhere: 'Đang dùng ở thẻ khác',
    failed: first.idle,
    dialing: 'Đang gọi…',
    incoming: 'Cuộc gọi đến',
    'in-call': 'Đang đàm thoại',
    held: 'Đang giữ máy',
  },
  number: first.number,
  keypad: 'Bàn phím số',
  erase: 'Xóa chữ số cuối',
  from: 'Gọi từ',
  call: 'Gọi',
  openDialer: first.openDialer,
  closeDialer: first.closeDialer,
  balanceOf: (money: string) => `Số dư gọi: ${money}`,
  blockedByPolicy: (directive: string) =>
    `Chính sách bảo mật nội dung (CSP) của trang này đang chặn bàn gọi, ở mục ${directive}.`,
  recentCalls: 'Gọi gần đây',
};

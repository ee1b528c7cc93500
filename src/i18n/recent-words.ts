/** The words of the list of latest calls: few enough to come with it, whatever the language. */
import type { Language } from './language.ts';

interface RecentWords {
  readonly title: string;
  /** There is little room on the button; its name says what is closed. */
  readonly close: string;
  readonly closeList: string;
  readonly empty: string;
  /** Of hours, minutes, seconds. */
  readonly units: readonly [string, string, string];
}

export const recentWords: Readonly<Record<Language, RecentWords>> = {
  en: {
    title: 'Recent calls',
    close: 'Close',
    closeList: 'Close the list',
    empty: 'No calls yet.',
    units: ['h', 'min', 's'],
  },
  vi: {
    title: 'Cuộc gọi gần đây',
    close: 'Đóng',
    closeList: 'Đóng danh sách',
    empty: 'Chưa có cuộc gọi nào.',
    units: ['giờ', 'phút', 'giây'],
  },
};

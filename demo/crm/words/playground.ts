/** What the playground says. English takes what is said of each attribute from `custom-elements.json`. */
import type { DialerState } from '../../../src/index.ts';

type Act = 'ring' | 'answer' | 'busy' | 'refuse' | 'hangUp' | 'noBalance' | 'noHotline' | 'lose' | 'allWell';

interface PlaygroundWords {
  readonly page: Readonly<Record<string, string>>;
  readonly unset: string;
  readonly party: {
    readonly acts: Readonly<Record<Act, string>>;
    readonly hints: Readonly<Partial<Record<DialerState['status'], string>> & { ready: string }>;
  };
  /** By attribute or custom property, in place of the manifest's. */
  readonly hints: Readonly<Record<string, string>>;
}

export const PLAYGROUND_EN: PlaygroundWords = {
  page: {
    playTitle: 'Playground · partner-dialer',
    playSkip: 'Skip to the attributes',
    playHeading: 'A telephone for your web page',
    playIntro:
      '<partner-dialer> is one HTML tag. Your agents call and answer in your page, through VBot. If a call is not possible, the dialer says why and who can fix it.',
    playHere:
      'Try everything here. Nothing is connected and nothing costs money: you are the other party of every call.',
    playDemo: 'See it in a CRM, with sound',
    playParty: 'You are the other party',
    playLink: 'dials when click-to-call is on.',
    playAttributes: 'Attributes',
    playReset: 'Reset all',
    playServer: 'For your server and VBot',
    playServerHint:
      'These change only the code to copy: here a fake broker and a fake exchange take their place.',
    playSnippet: 'Copy it',
    playFramework: 'Framework',
    playProperties: 'Look',
  },
  unset: 'Unset',
  party: {
    acts: {
      ring: 'Call the agent',
      answer: 'Answer',
      busy: 'Busy (486)',
      refuse: 'No balance (402)',
      hangUp: 'Hang up',
      noBalance: 'Take the balance away',
      noHotline: 'Take the hotline away',
      lose: 'Cut the connection',
      allWell: 'All is well again',
    },
    hints: {
      ready: 'Type a number in the dialer and call, or call the agent.',
      dialing: 'The agent calls you: answer or refuse.',
      incoming: 'It rings at the agent: answer in the dialer, or hang up here.',
      'in-call': 'You are talking. Mute, hold or hang up in the dialer, or hang up here.',
      blocked: 'The agent cannot call. The dialer says why.',
      connecting: 'The dialer is connecting.',
      idle: 'The dialer is not connected.',
      failed: 'The dialer could not connect.',
    },
  },
  hints: {},
};

export const PLAYGROUND_VI: PlaygroundWords = {
  page: {
    playTitle: 'Trang thử · partner-dialer',
    playSkip: 'Tới các thuộc tính',
    playHeading: 'Softphone cho trang web của bạn',
    playIntro:
      '<partner-dialer> là một thẻ HTML. Nhân viên gọi đi và nghe máy ngay trên trang của bạn, qua tổng đài VBot. Khi chưa gọi được, softphone nói rõ lý do và ai có thể xử lý.',
    playHere:
      'Cứ thử thoải mái: ở đây không kết nối đi đâu và không mất tiền. Trong mọi cuộc gọi, bạn là người ở đầu dây bên kia.',
    playDemo: 'Xem trong một CRM, có âm thanh',
    playParty: 'Bạn là đầu dây bên kia',
    playLink: 'gọi được khi bật click-to-call.',
    playAttributes: 'Thuộc tính',
    playReset: 'Đặt lại tất cả',
    playServer: 'Dành cho máy chủ của bạn và VBot',
    playServerHint: 'Các mục này chỉ thay đổi mã để chép: ở đây broker và tổng đài đều là giả lập.',
    playSnippet: 'Sao chép mã',
    playFramework: 'Framework',
    playProperties: 'Giao diện',
  },
  unset: 'Xóa giá trị',
  party: {
    acts: {
      ring: 'Gọi nhân viên',
      answer: 'Nghe máy',
      busy: 'Máy bận (486)',
      refuse: 'Không đủ số dư (402)',
      hangUp: 'Gác máy',
      noBalance: 'Đưa số dư về 0',
      noHotline: 'Gỡ đầu số',
      lose: 'Ngắt kết nối',
      allWell: 'Khôi phục',
    },
    hints: {
      ready: 'Nhập một số trong softphone rồi bấm Gọi, hoặc gọi cho nhân viên.',
      dialing: 'Nhân viên đang gọi bạn: nghe máy hoặc từ chối.',
      incoming: 'Máy của nhân viên đang đổ chuông: nghe trong softphone, hoặc gác máy ở đây.',
      'in-call': 'Hai bên đang nói chuyện. Tắt mic, giữ máy, gác máy trong softphone, hoặc gác máy ở đây.',
      blocked: 'Nhân viên chưa gọi được. Softphone nói rõ lý do.',
      connecting: 'Softphone đang kết nối.',
      idle: 'Softphone chưa kết nối.',
      failed: 'Softphone không kết nối được.',
    },
  },
  hints: {
    'broker-url': 'Địa chỉ cấp phiên làm việc, gọi bằng POST. Bắt buộc.',
    'broker-credentials': 'Cookie gửi cho broker: `same-origin`, `include` hoặc `omit`.',
    'sdk-url': 'Script của SDK nhà cung cấp.',
    'sdk-integrity': 'Mã băm SRI của script đó.',
    'sdk-base-url': 'Địa chỉ API đưa cho SDK, cho sandbox hoặc staging; không đặt thì dùng của nhà cung cấp.',
    'disconnect-sound-url':
      'Tệp âm thanh phát khi cuộc gọi kết thúc, do gác máy hay do lỗi; không đặt thì dùng của nhà cung cấp.',
    'ringtone-url': 'Tệp âm thanh phát khi có cuộc gọi đến.',
    'hold-music-url': 'Nhạc chờ phát khi đang gọi đi.',
    hotline: 'Đầu số (hotline) ưu tiên dùng; không đặt thì dùng đầu số đầu tiên.',
    'external-call-id':
      'Mã của CRM cho cuộc gọi tiếp theo: tối đa 32 ký tự a-z0-9. Mỗi giá trị chỉ dùng cho một cuộc gọi.',
    'connect-mode':
      'Khi nào đăng nhập: `auto`, `interaction` (khi có thao tác đầu tiên) hoặc `manual`; đọc khi gắn thẻ.',
    'low-balance': 'Cảnh báo trước khi gọi nếu số dư thấp hơn mức này (VND); `0`: không cảnh báo.',
    'number-plan':
      'Những số gọi được: `vietnam` (số Việt Nam, số quốc tế có dấu cộng), hoặc `any` (gọi đúng như đã nhập: 2 đến 32 ký tự 0-9, * và #).',
    'recent-calls':
      '`off`: không liệt kê, không lưu cuộc gọi nào trong trình duyệt; các cuộc gọi đã lưu của nhân viên đăng nhập bị xóa.',
    floating:
      'Bong bóng mở ra thành softphone, ở góc được nêu: để trống là `bottom-right`; `false` là nằm trong trang.',
    open: 'Softphone nổi đang mở. Nhân viên hoặc cuộc gọi cũng mở và đóng; không có `floating` thì không có tác dụng.',
    hotkeys:
      'Phím tắt cho cả trang: Ctrl hoặc ⌘ + Shift + A nghe máy, + H gác máy, + M tắt hoặc bật mic. Mặc định tắt, vì trang hay trình duyệt có thể đã dùng. Phím riêng của softphone (bấm `?` để xem) dùng được khi nó đang được chọn.',
    'click-to-call':
      'Liên kết `tel:` trên trang gọi qua softphone; `data-name`, nếu không thì chữ của liên kết, cho biết gọi ai.',
    'vendor-ui': 'Màn hình gọi của nhà cung cấp; các hướng dẫn vẫn là của softphone.',
    lang: '`vi`, `en` hoặc ngôn ngữ của `words`; không đặt thì theo `lang` gần nhất của trang, rồi đến trình duyệt.',
    theme: '`auto` (theo trang), `light` hoặc `dark`.',
    '--partner-dialer-accent': 'Nút và viền chọn; cả liên kết, nếu vẫn đọc được.',
    '--partner-dialer-on-accent': 'Chữ trên màu chính; mặc định đen hoặc trắng, màu nào tương phản hơn.',
    '--partner-dialer-call': 'Gọi và nghe máy.',
    '--partner-dialer-danger': 'Gác máy và từ chối.',
    '--partner-dialer-warning': 'Biểu tượng báo vì sao nhân viên chưa gọi được.',
    '--partner-dialer-surface': 'Nền.',
    '--partner-dialer-text': 'Chữ.',
    '--partner-dialer-muted': 'Chữ phụ.',
    '--partner-dialer-border': 'Đường kẻ mảnh.',
    '--partner-dialer-sunken': 'Màn số, phím, nút tròn và nút phụ.',
    '--partner-dialer-radius': 'Góc bo của softphone; nút bo theo.',
    '--partner-dialer-font': 'Phông chữ.',
    '--partner-dialer-width': 'Chiều rộng, từ 280 đến 400 px.',
  },
};

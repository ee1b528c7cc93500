/** Vietnamese words, written for agents rather than translated. */
import type { Words } from './en.ts';
import { firstWords } from './first-words.ts';
import { keypadVi } from './keypad-vi.ts';

const { vi: first } = firstWords;

/** Words that no line end tears apart. */
const admin = 'quản\u00a0trị\u00a0viên';
const hotline = 'đầu\u00a0số';
const phone = 'bàn\u00a0gọi';
const callOut = 'gọi\u00a0ra';

export const vi: Words = {
  ...keypadVi,
  willCall: (number: string) => `Sẽ gọi ${number}`,
  invalidNumber: {
    empty: 'Hãy nhập số cần gọi.',
    letters: 'Số điện thoại chỉ gồm các chữ số.',
    'other-digits': 'Hãy viết số bằng các chữ số 0–9.',
    extension: 'Bỏ số máy lẻ, bấm khi đã kết nối.',
    'two-numbers': 'Có nhiều số: chỉ giữ lại một số.',
    'too-short': 'Số chưa đủ chữ số.',
    'too-long': 'Số này thừa chữ số.',
    'no-prefix': 'Thiếu số 0 ở đầu hoặc + mã nước.',
    unknown: 'Không có số điện thoại như vậy.',
  },
  callNumber: (number: string) => `Gọi ${number}`,
  thenCall: (number: string) => `Số chờ gọi: ${number}`,
  hangUp: 'Gác máy',
  answer: 'Nghe',
  decline: 'Từ chối',
  mute: 'Tắt mic',
  hold: 'Giữ máy',
  keys: 'Bàn phím',
  talked: 'Đã đàm thoại',
  shortcuts: {
    title: 'Phím tắt',
    close: 'Đóng danh sách phím tắt',
    keys: [
      ['0–9 * #', 'Bấm số; gửi phím khi đang gọi'],
      ['Enter', 'Gọi hoặc nghe'],
      ['↑', 'Lấy lại số vừa gọi'],
      ['M', 'Tắt mic'],
      ['H', 'Giữ máy'],
      ['Esc', 'Đóng phần đang mở'],
      ['?', 'Xem các phím tắt'],
    ],
  },
  withheld: 'Số ẩn',
  muted: 'Đã tắt mic',
  ringing: 'Đang đổ chuông…',
  ending: 'Đang kết thúc…',
  declining: 'Đang từ chối…',
  sameNumber: (count: number) => `${count} khách hàng cùng số này`,
  callAgain: 'Gọi lại',
  recent: {
    missed: (count: number) => (count === 1 ? 'Cuộc gọi nhỡ' : `${count} cuộc gọi nhỡ`),
    callBack: 'Gọi lại',
    kept: 'Sẽ gọi sau',
  },
  cure: {
    hotline: 'Đổi đầu số',
    oneHotline: `Mạng này cần ${hotline} khác: báo ${admin}`,
  },
  asks: {
    ringer: 'Bật chuông cho cuộc gọi đến?',
    notifications: 'Báo cuộc gọi đến trên màn hình?',
    turnOn: 'Bật',
    notNow: 'Để sau',
  },
  microphoneWillAsk: 'Khi bạn nghe máy, trình duyệt sẽ hỏi quyền dùng micro: hãy cho phép.',
  allowMicrophone: 'Trình duyệt đang hỏi quyền dùng micro: hãy bấm Cho phép.',
  lineLostInCall: 'Đang nối lại với tổng đài. Bạn vẫn có thể nói chuyện.',
  offlineInCall: 'Máy đang mất mạng: hai bên không nghe được nhau cho đến khi có mạng lại.',
  microphoneLost: 'Micro đã bị ngắt: bên kia không nghe được bạn. Hãy cắm lại, gác máy rồi gọi lại.',
  retry: first.retry,
  canCallAgain: (money?: string) =>
    money === undefined ? 'Bạn đã có thể gọi' : `Bạn đã có thể gọi · ${money}`,
  error: {
    configuration: 'Bàn gọi chưa được cài đặt đúng trên trang này.',
    'broker-unauthorized': 'Bạn chưa đăng nhập hoặc phiên đã hết hạn. Hãy đăng nhập lại rồi thử lại.',
    'broker-unreachable': 'Máy chủ đăng nhập của trang này không phản hồi.',
    'broker-invalid-answer': 'Máy chủ đăng nhập của trang này trả lời không hợp lệ.',
    'vendor-unreachable': 'Dịch vụ điện thoại hiện không phản hồi.',
    'sdk-load-failed': first.loadFailed,
    'sdk-auth-failed': 'Tổng đài không chấp nhận phiên đăng nhập của bạn.',
    'registration-failed': 'Tổng đài không phản hồi.',
    'insufficient-funds': 'Số dư gọi đã hết.',
    'no-hotline': `Bạn chưa được gán ${hotline} ${callOut}.`,
    'microphone-denied': 'Trình duyệt đang chặn micro. Hãy cho phép ở thanh địa chỉ rồi thử lại.',
    'microphone-missing': 'Không tìm thấy micro dùng được. Hãy cắm tai nghe rồi thử lại.',
    'insecure-context': 'Trang này cần được mở bằng HTTPS thì mới dùng được micro.',
    'unsupported-browser':
      'Trình duyệt này không gọi điện được. Hãy dùng Chrome, Edge, Firefox hoặc Safari bản mới.',
    'not-ready': 'Bàn gọi chưa sẵn sàng.',
    busy: 'Bạn đang có cuộc gọi. Hãy kết thúc rồi gọi số khác.',
    'invalid-number': 'Số điện thoại không hợp lệ.',
    'call-rejected': 'Không thực hiện được cuộc gọi.',
    'network-lost': 'Đã mất kết nối tới tổng đài. Hãy kiểm tra mạng.',
    'active-elsewhere': `Trang này đang dùng một ${phone} khác. Hãy gọi ở đó, hoặc đóng nó rồi thử lại.`,
  },
  outcome: {
    answered: 'Cuộc gọi đã kết thúc',
    missed: 'Cuộc gọi nhỡ',
    declined: 'Đã từ chối',
    cancelled: 'Đã hủy',
    'answered-elsewhere': 'Đã nghe trên thiết bị khác',
    busy: 'Thuê bao đang bận',
    'no-answer': 'Không trả lời',
    'wrong-number': 'Không có số này',
    'insufficient-funds': 'Hết số dư gọi',
    'no-hotline': 'Chưa có đầu số',
    rejected: 'Cuộc gọi bị từ chối',
    'exchange-trouble': 'Tổng đài đang gặp sự cố',
    'network-lost': 'Mất kết nối',
    failed: 'Cuộc gọi không thành công',
  },
  /** By SIP status, as the vendor's table of call results has them. */
  sip: {
    403: 'Người này không nhận cuộc gọi quảng cáo.',
    404: 'Số này không tồn tại.',
    405: 'Không được gọi vào giờ này.',
    406: `Bạn chưa được phép ${callOut}, hãy báo ${admin}.`,
    407: `Tài khoản thuộc dự án khác, hãy báo ${admin}.`,
    409: 'Người này không muốn bị làm phiền.',
    410: 'Số này đã thay đổi.',
    411: 'Không có người nghe máy.',
    412: `Gói cước đã hết hạn, hãy báo ${admin}.`,
    413: 'Đầu\u00a0số của bạn không gọi được tới mạng này.',
    414: 'Không xác định được nhà mạng của số này.',
    415: `Cuộc gọi có thông tin sai, hãy báo ${admin}.`,
    416: `Dự án đã hết hạn, hãy báo ${admin}.`,
    480: 'Hiện không liên lạc được.',
    500: 'Tổng đài gặp sự cố, hãy thử lại sau ít phút.',
    502: 'Mạng này đang lỗi, hãy thử lại sau ít phút.',
    503: 'Tổng đài đang bận, hãy thử lại sau ít phút.',
  } as Readonly<Record<number, string>>,
};

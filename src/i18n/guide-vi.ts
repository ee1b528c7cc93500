/** The Vietnamese words of the guides: few enough to come with those, whatever the language. */
import type { GuideWords } from './guide-en.ts';

/** Words that no line end tears apart. */
const admin = 'quản\u00a0trị\u00a0viên';
const hotline = 'đầu\u00a0số';
const phone = 'bàn\u00a0gọi';
const callOut = 'gọi\u00a0ra';

export const guideVi: GuideWords = {
  retryIn: (seconds: number) => `Tự thử lại sau ${seconds} giây`,
  checkAgain: 'Kiểm tra lại',
  checking: 'Đang kiểm tra…',
  asking: 'Đang gửi yêu cầu…',
  askTopUp: 'Yêu cầu nạp tiền',
  askHotline: 'Yêu cầu gán đầu số',
  backToKeypad: 'Về bàn phím số',
  balance: 'Số dư',
  inTime: {
    'help-requested': 'Đã gửi yêu cầu nạp tiền.',
    'ask-admin': 'Hãy báo cho quản trị viên.',
    'help-failed': 'Chưa gửi được. Gửi lại',
    'top-up-limit': 'Đã hết hạn mức nạp hôm nay.',
    'top-up-off': 'Tính năng nạp tiền đang tắt.',
    'top-up-later': 'Chưa nạp được. Yêu cầu lại',
    'top-up-refused': 'Yêu cầu nạp tiền bị từ chối.',
    'top-up-admin-short': 'Tài khoản công ty thiếu tiền.',
  },
  lowBalance: (money: string) => `Số dư gọi thấp: ${money}`,
  copyDetails: 'Sao chép chi tiết',
  copied: 'Đã sao chép',
  code: 'Mã',
  whoCanFix: 'Người xử lý',
  fixer: {
    agent: 'bạn',
    admin: 'quản trị viên',
    vendor: 'nhà cung cấp tổng đài',
    developer: 'đội phát triển trang này',
  },
  guide: {
    'insufficient-funds': 'Số dư gọi đã hết. Quản\u00a0trị\u00a0viên cần nạp thêm tiền để bạn gọi tiếp.',
    'no-hotline': `Bạn chưa được gán ${hotline} ${callOut}. Quản\u00a0trị\u00a0viên cần gán ${hotline} cho bạn.`,
    'member-expired': 'Tài khoản gọi của bạn đã hết hạn. Quản\u00a0trị\u00a0viên cần gia hạn cho bạn.',
    'microphone-denied': 'Trình duyệt đang chặn micro. Hãy cho phép ở thanh địa chỉ rồi kiểm tra lại.',
    'microphone-forbidden': `Trang này không cho ${phone} dùng micro. Chính sách quyền (Permissions-Policy) của trang cần cho phép.`,
    'microphone-missing':
      'Không tìm thấy micro dùng được. Hãy cắm tai nghe hoặc tắt chương trình đang dùng micro rồi kiểm tra lại.',
    'insecure-context':
      'Trình duyệt chỉ cho dùng micro trên trang bảo mật. Trang này cần được mở bằng HTTPS.',
    'unsupported-browser':
      'Trình duyệt này không gọi điện được. Hãy dùng Chrome, Edge, Firefox hoặc Safari bản mới.',
    offline: `Máy đang mất mạng. Hãy kiểm tra mạng; ${phone} sẽ tự kết nối lại.`,
    other: `Tài khoản của bạn tạm thời chưa ${callOut} được. Hãy hỏi ${admin}.`,
  },
  answering: {
    'microphone-denied': 'Trình duyệt đang chặn micro. Hãy cho phép ở thanh địa chỉ rồi bấm Nghe.',
    'microphone-missing': 'Không tìm thấy micro dùng được. Hãy cắm tai nghe rồi bấm Nghe.',
  },
  elsewhere: {
    text: 'Bàn gọi của bạn đang mở ở một thẻ khác trong trình duyệt này.',
    use: 'Dùng ở thẻ này',
    moving: 'Đang chuyển về đây…',
    idle: 'Hiện không có cuộc gọi nào.',
    calling: 'Bạn đang gọi đi ở thẻ kia.',
    ringing: 'Thẻ kia có cuộc gọi đến.',
    'in-call': 'Bạn đang đàm thoại ở thẻ kia.',
    since: (time: string) => `Bạn đang đàm thoại ở thẻ kia, từ lúc ${time}.`,
    later: 'Bạn có thể chuyển về đây khi cuộc gọi kết thúc.',
  },
  notice: {
    'still-blocked': 'Chưa có gì thay đổi.',
    'help-requested': 'Yêu cầu đã được gửi. Hãy kiểm tra lại sau ít phút.',
    'ask-admin': `Trang này không gửi yêu cầu thay bạn được. Hãy báo cho ${admin}.`,
    'call-elsewhere': 'Đang có cuộc gọi, chưa chuyển được.',
    'not-moved': `Thẻ kia chưa trả lại ${phone}. Hãy thử lại.`,
    'check-failed': 'Không kiểm tra được. Hãy thử lại.',
    'help-failed': 'Chưa gửi được yêu cầu. Hãy thử lại.',
    'top-up-limit': `Đã hết hạn mức nạp tiền hôm nay. Hãy yêu cầu lại vào ngày mai hoặc báo cho ${admin}.`,
    'top-up-off': `Tính năng nạp tiền đang tắt. Hãy báo cho ${admin}.`,
    'top-up-later': 'Hiện chưa nạp tiền được. Hãy thử lại sau ít phút.',
    'top-up-refused': `Tổng đài từ chối nạp tiền. Hãy báo cho ${admin}.`,
    'top-up-admin-short': `Tài khoản của công ty không đủ tiền. Hãy báo cho ${admin}.`,
  },
};

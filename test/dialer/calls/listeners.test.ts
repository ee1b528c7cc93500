import { expect } from '@open-wc/testing';
import { codeOf } from '../../support/code-of.ts';
import { openReady, passTime, reaches, sdk } from '../../support/dialer.ts';

describe('a page that ends or answers a call in a listener', () => {
  for (const name of ['dialer-callincoming', 'dialer-callend'] as const)
    for (const command of ['hangUp', 'reject', 'answer'] as const)
      it(`of ${name}, by ${command}(), leaves alone the next caller, who rings by then`, async () => {
        const { dialer } = await openReady();
        const codes: Promise<unknown>[] = [];
        dialer.addEventListener(name, () => codes.push(codeOf(dialer[command]())), { once: true });
        sdk().ring('0911111111', undefined, 'in-1');
        if (name === 'dialer-callend') await reaches(dialer, 'incoming');
        sdk().end('Cuộc gọi đã bị hủy');
        sdk().ring('0922222222', undefined, 'in-2');
        await passTime(300);
        expect(await Promise.all(codes)).to.deep.equal([command === 'hangUp' ? 'resolved' : 'not-ready']);
        expect([dialer.state.call.is, sdk().told]).to.deep.equal(['incoming', []]);
      });
});

/** A read that is sent once more when it brought no answer at all. Apart, because nothing at the start needs it. */
import ky from 'ky';

export async function readRepeatedly(address: string, request: RequestInit): Promise<Response> {
  return ky(address, {
    ...request,
    timeout: false,
    retry: { limit: 1, methods: ['get'], jitter: true },
    throwHttpErrors: false,
  });
}
